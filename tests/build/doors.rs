//! The built doors, called by wasmtime alone.

use super::workshop::built;
use std::fs;
use std::path::Path;
use wasmtime::component::{Component, ComponentNamedList, Instance, Lift, Linker, Lower, Val};
use wasmtime::component::{ComponentExportIndex, ResourceTable};
use wasmtime::{Engine, Store};
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxView, WasiView};

/// One opening of one door.
struct Opened {
    store: Store<World>,
    instance: Instance,
    interface: Option<ComponentExportIndex>,
}

struct World {
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for World {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

impl Opened {
    /// A door that is granted nothing.
    fn pure(name: &str, interface: Option<&str>) -> Self {
        Self::with(name, interface, WasiCtx::builder().build())
    }

    /// A door that is granted a folder as `/data`.
    fn granted(name: &str, data: &Path, permissions: FsPerms) -> Self {
        let mut wasi = WasiCtx::builder();
        wasi.preopened_dir(data, "/data", permissions).unwrap();
        Self::with(name, None, wasi.build())
    }

    fn with(name: &str, interface: Option<&str>, wasi: WasiCtx) -> Self {
        let engine = Engine::default();
        let component = component(&engine, name);
        let mut linker = Linker::new(&engine);
        wasmtime_wasi::p2::add_to_linker_sync(&mut linker).unwrap();
        let mut store = Store::new(
            &engine,
            World {
                wasi,
                table: ResourceTable::new(),
            },
        );
        let instance = linker.instantiate(&mut store, &component).unwrap();
        let interface = interface.map(|interface| {
            instance
                .get_export_index(&mut store, None, interface)
                .expect(interface)
        });
        Self {
            store,
            instance,
            interface,
        }
    }

    fn call<P, R>(&mut self, function: &str, parameters: P) -> R
    where
        P: ComponentNamedList + Lower,
        R: Lift + Send + Sync + 'static,
        (R,): ComponentNamedList + Lift,
    {
        let index =
            self.instance
                .get_export_index(&mut self.store, self.interface.as_ref(), function);
        let function = self
            .instance
            .get_typed_func::<P, (R,)>(&mut self.store, index.unwrap());
        function
            .unwrap()
            .call(&mut self.store, parameters)
            .unwrap()
            .0
    }
}

fn component(engine: &Engine, name: &str) -> Component {
    Component::from_file(engine, built().join(format!("{name}.wasm"))).unwrap()
}

#[test]
fn a_door_that_uses_nothing_of_the_host_imports_nothing() {
    let engine = Engine::default();
    for name in ["mind", "settled"] {
        let imports = component(&engine, name).component_type();
        assert_eq!(imports.imports(&engine).count(), 0, "{name}");
    }
}

#[test]
fn a_door_carries_the_comments_of_its_wit() {
    let fridge = fs::read(built().join("fridge.wasm")).unwrap();
    let text = b"How many of each item are in the fridge.";
    assert!(fridge.windows(text.len()).any(|bytes| bytes == text));
}

type Counted = Result<Vec<(String, u32)>, String>;

#[test]
fn a09_the_fridge_counts_what_its_file_says() {
    let data = tempfile::tempdir().unwrap();
    fs::write(data.path().join("fridge.txt"), "milk 1\neggs 4\n").unwrap();
    let mut fridge = Opened::granted("fridge", data.path(), FsPerms::ReadOnly);
    let counted: Counted = fridge.call("count", (vec!["eggs", "milk", "tea"],));
    let expected = [("eggs", 4), ("milk", 1), ("tea", 0)].map(|(item, n)| (item.to_owned(), n));
    assert_eq!(counted.unwrap(), expected);
}

#[test]
fn a10_a_wrong_line_of_the_fridge_is_its_own_error() {
    let data = tempfile::tempdir().unwrap();
    fs::write(data.path().join("fridge.txt"), "milk").unwrap();
    let mut fridge = Opened::granted("fridge", data.path(), FsPerms::ReadOnly);
    let counted: Counted = fridge.call("count", (vec!["milk"],));
    assert_eq!(
        counted.unwrap_err(),
        "/data/fridge.txt, line 1: expected an item and a count as in `milk 1`, found `milk`"
    );
}

#[test]
fn a10_a_fridge_without_its_grant_says_what_it_misses() {
    let counted: Counted = Opened::pure("fridge", None).call("count", (vec!["milk"],));
    assert!(
        counted
            .unwrap_err()
            .starts_with("/data/fridge.txt could not be read: ")
    );
}

#[test]
fn a16_the_shopping_list_is_written_and_bought() {
    let data = tempfile::tempdir().unwrap();
    let mut shopping = Opened::granted("shopping", data.path(), FsPerms::ReadWrite);
    let said: Result<String, String> = shopping.call("add", ("milk",));
    assert_eq!(said.unwrap(), "milk is on the list");
    assert_eq!(
        fs::read(data.path().join("shopping-list.txt")).unwrap(),
        b"milk\n"
    );
    let mut shopping = Opened::granted("shopping", data.path(), FsPerms::ReadWrite);
    let said: Result<String, String> = shopping.call("checkout", ());
    assert_eq!(said.unwrap(), "bought: milk");
    assert_eq!(fs::read(data.path().join("bought.txt")).unwrap(), b"milk\n");
}

const PROSE: &str = "There should always be milk and eggs. Whatever is below 2 is written.";
const NAMES: &str = "Names:\n- fridge.count(items: list<string>)\n- shopping.add(item: string)\n";
const COUNT: &str = "fridge.count {\"items\":[\"milk\",\"eggs\"]}";
const COUNTED: &str = "[1 loop.txt ab]\nfridge.count {\"items\":[\"milk\",\"eggs\"]}\n\
                       | [[\"milk\",1],[\"eggs\",4]]\n";
const ADD: &str = "shopping.add {\"item\":\"milk\"}";
const ADDED: &str = "[2 loop.txt ab]\nshopping.add {\"item\":\"milk\"}\n| milk is on the list\n";

/// What the mind hands over, written like on a page.
fn decide(prose: &str, history: &str) -> String {
    let page = format!("{prose}\n\n{NAMES}\nThe user's line:\n| What?\n\nSo far:\n{history}");
    let mut mind = Opened::pure("mind", Some("doorlist:model/decide@0.1.0"));
    let interface = mind.interface.as_ref();
    let index = mind
        .instance
        .get_export_index(&mut mind.store, interface, "decide")
        .unwrap();
    let decide = mind.instance.get_func(&mut mind.store, index).unwrap();
    let mut answers = [Val::Bool(false)];
    decide
        .call(&mut mind.store, &[Val::String(page)], &mut answers)
        .unwrap();
    match &answers[0] {
        Val::Result(Ok(Some(answer))) => handed_over(answer),
        other => panic!("expected an answer, found {other:?}"),
    }
}

fn handed_over(answer: &Val) -> String {
    match answer {
        Val::Variant(case, Some(value)) if case == "close" => format!("close {}", text(value)),
        Val::Variant(_, Some(names)) => {
            let Val::List(calls) = field(names, "calls") else {
                panic!("{names:?}")
            };
            let call = |call| {
                format!(
                    "{} {}",
                    text(field(call, "name")),
                    text(field(call, "arguments"))
                )
            };
            calls.iter().map(call).collect::<Vec<_>>().join("; ")
        }
        other => panic!("expected a close or names, found {other:?}"),
    }
}

fn field<'a>(record: &'a Val, name: &str) -> &'a Val {
    let Val::Record(fields) = record else {
        panic!("expected a record, found {record:?}")
    };
    &fields.iter().find(|(field, _)| field == name).unwrap().1
}

fn text(value: &Val) -> &str {
    let Val::String(text) = value else {
        panic!("expected a string, found {value:?}")
    };
    text
}

#[test]
fn a16_the_mind_counts_writes_and_closes() {
    assert_eq!(decide(PROSE, ""), COUNT);
    assert_eq!(decide(PROSE, COUNTED), ADD);
    assert_eq!(
        decide(PROSE, &format!("{COUNTED}{ADDED}")),
        "close Counted milk 1, eggs 4. Below 2: milk, now on the shopping list."
    );
}

#[test]
fn a17_the_mind_obeys_the_threshold_of_the_page() {
    assert_eq!(
        decide(&PROSE.replace("below 2", "below 1"), COUNTED),
        "close Counted milk 1, eggs 4. Nothing is below 1, so nothing was written."
    );
}

fn stands(prose: &str, history: &str) -> Result<(), String> {
    let mut settled = Opened::pure("settled", Some("doorlist:close/close@0.1.0"));
    settled.call(
        "stands",
        (format!("{prose}\n\n{NAMES}"), "What?", history, "Done."),
    )
}

#[test]
fn a17_milk_1_below_1_needs_no_writing() {
    assert_eq!(
        stands(&PROSE.replace("below 2", "below 1"), COUNTED),
        Ok(())
    );
}

#[test]
fn a17_milk_3_needs_no_writing() {
    assert_eq!(
        stands(PROSE, &COUNTED.replace("\"milk\",1", "\"milk\",3")),
        Ok(())
    );
}

#[test]
fn a17_milk_1_without_the_writing_is_refused() {
    assert_eq!(
        stands(PROSE, COUNTED),
        Err("nothing was added for milk".to_owned())
    );
    assert_eq!(stands(PROSE, &format!("{COUNTED}{ADDED}")), Ok(()));
}

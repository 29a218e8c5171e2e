//! Random values of random types, through a component that gives back what it takes.

use std::fmt::Write as _;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};
use wasmtime::component::{Component, Linker, Val};
use wasmtime::{Config, Engine, OptLevel, Store};

use super::*;
use crate::doors::{Interface, Said, parse_arguments};

/// A component whose `echo` takes and returns a tuple of `shape` and seventeen numbers. More than
/// sixteen flat parameters come as one pointer, and more than one flat result goes as one, so the
/// same core function does for every type: it returns its argument.
pub(super) fn component_of(shape: &Shape) -> Vec<u8> {
    let mut text = Text::default();
    let whole = text.value(&padded(shape.clone()));
    component(&format!(
        r#"(core module $m
             (memory (export "memory") 4)
             (global $free (mut i32) (i32.const 16))
             (func (export "echo") (param i32) (result i32) (local.get 0))
             (func (export "realloc") (param $old i32) (param $was i32) (param $align i32)
                   (param $size i32) (result i32)
               (local $at i32)
               (local.set $at
                 (i32.and
                   (i32.add (global.get $free) (i32.sub (local.get $align) (i32.const 1)))
                   (i32.sub (i32.const 0) (local.get $align))))
               (global.set $free (i32.add (local.get $at) (local.get $size)))
               (local.get $at)))
           (core instance $i (instantiate $m))
           {types}
           (func (export "echo") (param "v" {whole}) (result {whole})
             (canon lift (core func $i "echo") (memory $i "memory")
               (realloc (func $i "realloc"))))"#,
        types = text.types,
    ))
}

fn padded(shape: Shape) -> Shape {
    let mut items = vec![shape];
    items.resize(18, Shape::U32);
    Shape::Tuple(items)
}

/// Types as component text. Types with names of their own must be exported to be used.
#[derive(Default)]
struct Text {
    types: String,
    named: usize,
}

impl Text {
    fn value(&mut self, shape: &Shape) -> String {
        match shape {
            Shape::List(item) => format!("(list {})", self.value(item)),
            Shape::FixedList(item, length) => format!("(list {} {length})", self.value(item)),
            Shape::Map(key, value) => format!("(map {} {})", self.value(key), self.value(value)),
            Shape::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|item| self.value(item)).collect();
                format!("(tuple {})", items.join(" "))
            }
            Shape::Option(some) => format!("(option {})", self.value(some)),
            Shape::Result { ok, error } => {
                let ok = ok.as_ref().map_or(String::new(), |ok| self.value(ok));
                let error = error.as_ref();
                let error = error.map_or(String::new(), |e| format!("(error {})", self.value(e)));
                format!("(result {ok} {error})")
            }
            Shape::Record(fields) => {
                let field = |f: &Field| format!("(field \"{}\" {})", f.name, self.value(&f.shape));
                let fields: String = fields.iter().map(field).collect();
                self.named(&format!("(record {fields})"))
            }
            Shape::Variant(cases) => {
                let case = |case: &Case| {
                    let payload = case.payload.as_ref().map(|payload| self.value(payload));
                    format!("(case \"{}\" {})", case.name, payload.unwrap_or_default())
                };
                let cases: String = cases.iter().map(case).collect();
                self.named(&format!("(variant {cases})"))
            }
            Shape::Enum(names) => self.named(&format!("(enum {})", quoted(names))),
            Shape::Flags(names) => self.named(&format!("(flags {})", quoted(names))),
            primitive => primitive.to_string(),
        }
    }

    fn named(&mut self, definition: &str) -> String {
        let n = self.named;
        self.named += 1;
        write!(
            self.types,
            "(type $d{n} {definition}) (export $t{n} \"t{n}\" (type $d{n}))"
        )
        .unwrap();
        format!("$t{n}")
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{name}\" ")).collect()
}

fn shapes() -> impl Strategy<Value = Shape> {
    let primitive = select(vec![
        Shape::Bool,
        Shape::S8,
        Shape::U8,
        Shape::S16,
        Shape::U16,
        Shape::S32,
        Shape::U32,
        Shape::S64,
        Shape::U64,
        Shape::F32,
        Shape::F64,
        Shape::Char,
        Shape::String,
    ]);
    let leaf = prop_oneof![
        4 => primitive,
        1 => (1..6_usize).prop_map(|n| Shape::Enum(numbered("e", n))),
        1 => (1..=32_usize).prop_map(|n| Shape::Flags(numbered("f", n))),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let keys = select(vec![Shape::U8, Shape::String]);
        prop_oneof![
            inner.clone().prop_map(list),
            inner.clone().prop_map(option),
            (inner.clone(), 1..4_u32).prop_map(|(s, n)| Shape::FixedList(Box::new(s), n)),
            (keys, inner.clone()).prop_map(|(k, v)| Shape::Map(Box::new(k), Box::new(v))),
            vec(inner.clone(), 1..4).prop_map(Shape::Tuple),
            vec(inner.clone(), 1..4).prop_map(|shapes| {
                let names = numbered("r", shapes.len());
                let fields = names.into_iter().zip(shapes);
                Shape::Record(fields.map(|(name, shape)| Field { name, shape }).collect())
            }),
            vec(proptest::option::of(inner.clone()), 1..4).prop_map(|payloads| {
                let names = numbered("c", payloads.len());
                let cases = names.into_iter().zip(payloads);
                Shape::Variant(
                    cases
                        .map(|(name, payload)| Case { name, payload })
                        .collect(),
                )
            }),
            (
                proptest::option::of(inner.clone()),
                proptest::option::of(inner)
            )
                .prop_map(|(ok, error)| result(ok, error)),
        ]
    })
}

/// Names whose order as text is not their order as declared.
fn numbered(prefix: &str, count: usize) -> Vec<String> {
    (0..count).rev().map(|n| format!("{prefix}{n}-x")).collect()
}

/// JSON in the documented form of `shape`, made without the code under test.
fn values(shape: &Shape) -> BoxedStrategy<Value> {
    match shape {
        Shape::Bool => any::<bool>().prop_map(Value::from).boxed(),
        Shape::S8 => any::<i8>().prop_map(Value::from).boxed(),
        Shape::U8 => any::<u8>().prop_map(Value::from).boxed(),
        Shape::S16 => any::<i16>().prop_map(Value::from).boxed(),
        Shape::U16 => any::<u16>().prop_map(Value::from).boxed(),
        Shape::S32 => any::<i32>().prop_map(Value::from).boxed(),
        Shape::U32 => any::<u32>().prop_map(Value::from).boxed(),
        Shape::S64 => longs()
            .prop_map(|bits| long(bits.cast_signed().into()))
            .boxed(),
        Shape::U64 => longs().prop_map(|number| long(number.into())).boxed(),
        Shape::F32 => singles().boxed(),
        Shape::F64 => doubles().boxed(),
        Shape::Char => any::<char>().prop_map(|c| c.to_string().into()).boxed(),
        Shape::String => texts().prop_map(Value::from).boxed(),
        Shape::List(item) if **item == Shape::U8 => vec(any::<u8>(), 0..9)
            .prop_map(|bytes| STANDARD.encode(bytes).into())
            .boxed(),
        Shape::List(item) => vec(values(item), 0..4).prop_map(Value::from).boxed(),
        Shape::FixedList(item, n) => vec(values(item), *n as usize).prop_map(Value::from).boxed(),
        Shape::Map(key, value) => {
            let text = **key == Shape::String;
            let pair = move |(key, value): (u8, Value)| match text {
                true => json!([format!("\u{1f95b}{key}"), value]),
                false => json!([key, value]),
            };
            let entries = btree_map(any::<u8>(), values(value), 0..4);
            entries
                .prop_map(move |map| map.into_iter().map(pair).collect())
                .boxed()
        }
        Shape::Tuple(items) => items
            .iter()
            .map(values)
            .collect::<Vec<_>>()
            .prop_map(Value::from)
            .boxed(),
        Shape::Record(fields) => {
            let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
            let inner: Vec<_> = fields.iter().map(|field| values(&field.shape)).collect();
            inner
                .prop_map(move |inner| names.iter().cloned().zip(inner).collect())
                .boxed()
        }
        Shape::Variant(cases) => {
            let one = |case: &Case| one_case(&case.name, case.payload.as_ref());
            proptest::strategy::Union::new(cases.iter().map(one)).boxed()
        }
        Shape::Enum(names) => select(names.clone()).prop_map(Value::from).boxed(),
        Shape::Option(some) => match **some {
            Shape::Option(_) => {
                prop_oneof![Just(Value::Null), one_case("some", Some(some))].boxed()
            }
            _ => prop_oneof![Just(Value::Null), values(some)].boxed(),
        },
        Shape::Result { ok, error } => prop_oneof![
            one_case("ok", ok.as_deref()),
            one_case("error", error.as_deref())
        ]
        .boxed(),
        Shape::Flags(names) => {
            let all = 0..=names.len();
            subsequence(names.clone(), all)
                .prop_map(Value::from)
                .boxed()
        }
    }
}

fn one_case(name: &str, payload: Option<&Shape>) -> BoxedStrategy<Value> {
    let name = name.to_owned();
    match payload {
        None => Just(Value::from(name)).boxed(),
        Some(payload) => values(payload)
            .prop_map(move |value| json!({ &name: value }))
            .boxed(),
    }
}

fn texts() -> impl Strategy<Value = String> {
    vec(any::<char>(), 0..9).prop_map(String::from_iter)
}

fn longs() -> impl Strategy<Value = u64> {
    let edge = 1_u64 << 53;
    prop_oneof![
        any::<u64>(),
        edge - 2..edge + 3,
        Just(u64::MAX),
        Just(1 << 63),
        0..9_u64
    ]
}

fn long(number: i128) -> Value {
    match number.unsigned_abs() < 1 << 53 {
        true => i64::try_from(number).unwrap().into(),
        false => number.to_string().into(),
    }
}

fn doubles() -> impl Strategy<Value = Value> {
    let edges = select(vec![
        0.0,
        -0.0,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        1e21,
        1e-7,
    ]);
    let any = any::<u64>().prop_map(f64::from_bits);
    let finite = any.prop_filter("JSON has no number for it", |float| float.is_finite());
    prop_oneof![finite, edges].prop_map(Value::from)
}

fn singles() -> impl Strategy<Value = Value> {
    let any = any::<u32>().prop_map(f32::from_bits);
    let finite = any.prop_filter("JSON has no number for it", |float| float.is_finite());
    finite.prop_map(|float| float.to_string().parse::<f64>().unwrap().into())
}

/// A type and a few values of it.
fn cases() -> impl Strategy<Value = (Shape, Vec<Value>)> {
    shapes().prop_flat_map(|shape| {
        let values = vec(values(&shape), 1..5);
        (Just(shape), values)
    })
}

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let mut config = Config::new();
    config.cranelift_opt_level(OptLevel::None);
    config.wasm_component_model_map(true);
    config.wasm_component_model_fixed_length_lists(true);
    Engine::new(&config).unwrap()
});

/// A fresh instance for each call, as an opening has.
fn call(component: &Component, values: &[Val]) -> Vec<Val> {
    let mut store = Store::new(&ENGINE, ());
    let instance = Linker::new(&ENGINE)
        .instantiate(&mut store, component)
        .unwrap();
    let echo = instance.get_func(&mut store, "echo").unwrap();
    let mut results = vec![Val::Bool(false)];
    echo.call(&mut store, values, &mut results).unwrap();
    results
}

fn check(shape: &Shape, json: &[Value]) {
    let bytes = component_of(shape);
    let interface = Interface::read(&bytes).unwrap();
    let [function] = &interface.functions[..] else {
        panic!("one function was written");
    };
    let whole = padded(shape.clone());
    assert_eq!(function.parameters[0].shape, whole);
    assert_eq!(function.result, Some(whole));

    let component = Component::from_binary(&ENGINE, &bytes).unwrap();
    for value in json {
        let mut items = vec![value.clone()];
        items.extend((0..17).map(Value::from));
        let arguments = json!({ "v": items });
        let values = function
            .fit(&arguments)
            .unwrap_or_else(|misfit| panic!("{misfit}"));
        assert_eq!(
            function.canonical(&values).unwrap(),
            loop_spec::canonical(&arguments)
        );

        // Equality of values tells signs of zeros apart, that of JSON does not.
        let results = call(&component, &values);
        assert_eq!(results, values);
        let Ok(Said::Text(text)) = function.say(&results) else {
            panic!("{results:?} was not said");
        };
        assert_eq!(parse_arguments(&text).unwrap(), arguments["v"], "{shape}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn random_values_of_random_types_come_back((shape, values) in cases()) {
        check(&shape, &values);
    }
}

/// A call with a value of the wrong type would leave its instance broken.
fn check_that_what_fits_can_be_called(shape: &Shape, json: &[Value]) {
    let bytes = component_of(shape);
    let function = &Interface::read(&bytes).unwrap().functions[0];
    let component = Component::from_binary(&ENGINE, &bytes).unwrap();
    for value in json {
        let mut items = vec![value.clone()];
        items.resize(18, json!("7"));
        if let Ok(values) = function.fit(&json!({ "v": items })) {
            assert_eq!(call(&component, &values), values);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn whatever_fits_passes_the_type_check_of_the_call(
        (shape, _) in cases(),
        (_, strangers) in cases(),
        (_, others) in cases(),
    ) {
        let loose = [json!(3.0), json!("7"), json!([]), json!([0, 1]), json!(""), json!({}), json!(null)];
        check_that_what_fits_can_be_called(&shape, &[strangers, others, loose.to_vec()].concat());
    }
}

#[test]
fn all_types_nested_in_each_other_come_back() {
    let leaf = record([
        ("flags", Shape::Flags(numbered("f", 32))),
        ("bytes", list(Shape::U8)),
        ("twice", option(option(Shape::Char))),
        (
            "map",
            Shape::Map(Box::new(Shape::String), Box::new(Shape::S64)),
        ),
    ]);
    let shape = variant([
        ("none", None),
        (
            "many",
            Some(list(result(leaf, Shape::Enum(names(["low", "high"]))))),
        ),
        ("fixed", Some(Shape::FixedList(Box::new(Shape::F32), 2))),
    ]);
    let value = json!({ "many": [
        { "error": "high" },
        { "ok": {
            "flags": ["f31-x", "f7-x", "f0-x"],
            "bytes": "AP8=",
            "twice": { "some": null },
            "map": [["", -1], ["\u{1f95b}", "-9223372036854775808"]],
        } },
        { "ok": { "flags": [], "bytes": "", "twice": { "some": "\u{10ffff}" }, "map": [] } },
    ] });
    check(
        &shape,
        &[json!("none"), value, json!({ "fixed": [0.1, -1e-45] })],
    );
}

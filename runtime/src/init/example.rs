//! The files of the fridge loop.

use loop_spec::Language;

/// One file of the example.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ExampleFile {
    /// Where it stands in the loop's folder, written with `/`.
    pub path: &'static str,
    /// What is in it.
    pub bytes: &'static [u8],
    /// Whether it is a script to be run.
    pub executable: bool,
}

/// The files of the example, loop.txt first.
pub fn files(language: Language) -> Vec<ExampleFile> {
    let (loop_txt, fridge_txt): (&[u8], &[u8]) = match language {
        Language::En => (
            include_bytes!("../../init/en/loop.txt"),
            include_bytes!("../../init/en/fridge.txt"),
        ),
        Language::Zh => (
            include_bytes!("../../init/zh/loop.txt"),
            include_bytes!("../../init/zh/fridge.txt"),
        ),
    };
    vec![
        file("loop.txt", loop_txt),
        file("policy.toml", include_bytes!("../../init/policy.toml")),
        file("data/fridge.txt", fridge_txt),
        file(
            "doors/fridge.wasm",
            include_bytes!("../../init/doors/fridge.wasm"),
        ),
        file(
            "doors/shopping.wasm",
            include_bytes!("../../init/doors/shopping.wasm"),
        ),
        file(
            "doors/settled.wasm",
            include_bytes!("../../init/doors/settled.wasm"),
        ),
        file(
            "doors/mind.wasm",
            include_bytes!("../../init/doors/mind.wasm"),
        ),
        ExampleFile {
            executable: true,
            ..file("run", include_bytes!("../../init/run"))
        },
        file(".gitignore", include_bytes!("../../init/gitignore")),
    ]
}

fn file(path: &'static str, bytes: &'static [u8]) -> ExampleFile {
    ExampleFile {
        path,
        bytes,
        executable: false,
    }
}

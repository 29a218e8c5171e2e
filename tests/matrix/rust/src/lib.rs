//! The type matrix in Rust.

wit_bindgen::generate!({ world: "matrix" });

use exports::test::matrix::echo::{Guest, Level, Point, Rights, Shape};

#[cfg(target_family = "wasm")]
export!(Door);

/// What the component exports.
pub struct Door;

macro_rules! echo {
    ($($name:ident: $ty:ty),+ $(,)?) => { $(fn $name(v: $ty) -> $ty { v })+ };
}

impl Guest for Door {
    echo! {
        truth: bool,
        tiny: i8,
        byte: u8,
        short: i16,
        word: u16,
        signed: i32,
        unsigned: u32,
        long: i64,
        longest: u64,
        single: f32,
        double: f64,
        letter: char,
        text: String,
        bytes: Vec<u8>,
        texts: Vec<String>,
        pairs: Vec<(String, u32)>,
        place: Point,
        figure: Shape,
        grade: Level,
        may: Rights,
        perhaps: Option<u32>,
        doubt: Option<Option<String>>,
        came: (Result<u32, String>, bool),
    }

    fn fails(v: String) -> Result<Vec<Point>, String> {
        Err(v)
    }
}

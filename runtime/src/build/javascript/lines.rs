//! From the lines of a bundle to those of the sources.

use std::path::Path;

use serde_json::json;
use sourcemap::SourceMap;

/// A statement that tells the prelude which line of which file each line of the bundle came from.
/// Without one it says nothing of lines.
pub(super) fn table(map: &[u8], folder: &Path, scratch: &Path) -> String {
    let Ok(map) = SourceMap::from_slice(map) else {
        return String::new();
    };
    let mut files: Vec<String> = Vec::new();
    let mut lines: Vec<Option<(usize, u32)>> = Vec::new();
    // What stands at the beginning of a line is its indentation, which belongs to the line before.
    for token in map.tokens().filter(|token| token.get_dst_col() > 0) {
        let line = token.get_dst_line() as usize;
        if lines.len() <= line {
            lines.resize(line + 1, None);
        }
        let Some(source) = token.get_source().filter(|_| lines[line].is_none()) else {
            continue;
        };
        // The map's paths start from the bundle's folder.
        let Some(file) = of_the_door(&scratch.join(source), folder) else {
            continue;
        };
        let place = files.iter().position(|known| *known == file);
        let place = place.unwrap_or_else(|| {
            files.push(file);
            files.len() - 1
        });
        lines[line] = Some((place, token.get_src_line() + 1));
    }
    let table = json!({ "files": files, "lines": lines });
    format!("\nglobalThis.__doorlist_lines = {table};\n")
}

/// A file as the door's writer calls it; `None` for one of the prelude.
fn of_the_door(file: &Path, folder: &Path) -> Option<String> {
    let file = file.canonicalize().ok()?;
    let folder = folder.canonicalize().ok()?;
    let own = file.strip_prefix(folder).ok()?;
    Some(own.display().to_string())
}

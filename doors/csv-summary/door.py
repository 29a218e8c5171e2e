"""The door csv-summary: what stands in the columns of a table."""

import csv
import io
import math

from componentize_py_types import Err
from wit_world import Column


def summarize(text, separator):
    if not text.strip():
        raise Err("expected a table whose first line has the names of its columns, found nothing")
    try:
        dialect = csv.Sniffer().sniff(text.partition("\n")[0], ",;\t|") if separator is None else None
    except csv.Error:
        dialect = None
    if dialect is None:
        rows = csv.reader(io.StringIO(text), delimiter=separator or ",")
    else:
        rows = csv.reader(io.StringIO(text), dialect)
    names = next(rows)
    cells = [[] for _ in names]
    for row in rows:
        if len(row) > len(names):
            raise Err(f"line {rows.line_num}: expected {len(names)} cells at most, found {len(row)}")
        for column, cell in zip(cells, row):
            if cell.strip():
                column.append(cell.strip())
    return [_column(name.strip(), column) for name, column in zip(names, cells)]


def _column(name, cells):
    numbers = [number for number in map(_number, cells) if number is not None]
    return Column(
        name=name,
        filled=len(cells),
        different=len(set(cells)),
        numbers=len(numbers),
        least=min(numbers, default=None),
        greatest=max(numbers, default=None),
        # Summed exactly: the order of the lines makes no difference.
        mean=math.fsum(numbers) / len(numbers) if numbers else None,
    )


def _number(cell):
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None

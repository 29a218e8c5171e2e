package export_test_matrix_echo

import (
	wit_types "go.bytecodealliance.org/pkg/wit/types"
	. "wit_component/test_matrix_echo"
)

func Truth(v bool) bool { return v }
func Tiny(v int8) int8 { return v }
func Byte(v uint8) uint8 { return v }
func Short(v int16) int16 { return v }
func Word(v uint16) uint16 { return v }
func Signed(v int32) int32 { return v }
func Unsigned(v uint32) uint32 { return v }
func Long(v int64) int64 { return v }
func Longest(v uint64) uint64 { return v }
func Single(v float32) float32 { return v }
func Double(v float64) float64 { return v }
func Letter(v rune) rune { return v }
func Text(v string) string { return v }
func Bytes(v []uint8) []uint8 { return v }
func Texts(v []string) []string { return v }
func Pairs(v []wit_types.Tuple2[string, uint32]) []wit_types.Tuple2[string, uint32] { return v }
func Place(v Point) Point { return v }
func Figure(v Shape) Shape { return v }
func Grade(v Level) Level { return v }
func May(v Rights) Rights { return v }
func Perhaps(v wit_types.Option[uint32]) wit_types.Option[uint32] { return v }
func Doubt(v wit_types.Option[wit_types.Option[string]]) wit_types.Option[wit_types.Option[string]] { return v }
func Came(v wit_types.Tuple2[wit_types.Result[uint32, string], bool]) (wit_types.Result[uint32, string], bool) { return v.F0, v.F1 }

func Fails(v string) wit_types.Result[[]Point, string] {
	return wit_types.Err[[]Point, string](v)
}

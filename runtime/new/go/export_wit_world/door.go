// The door NAME: what the world exports is implemented in this package.
package export_wit_world

import wit_types "go.bytecodealliance.org/pkg/wit/types"

func Greet(name string) wit_types.Result[string, string] {
	if name == "" {
		return wit_types.Err[string, string]("expected a name")
	}
	return wit_types.Ok[string, string]("Hello, " + name + "!")
}

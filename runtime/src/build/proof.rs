//! What was made, opened once: whether it is a door at all.

use std::sync::Arc;

use loop_spec::Language as Words;
use loop_spec::loop_machine::Outcome;

use super::{BuildError, Made, Step};
use crate::doors::DoorFile;
use crate::gate::{Admission, Conditions, Gate, GuardedDoor};

impl Made {
    /// Opens each export once in the inert world, with the least arguments that it takes. That one
    /// does not return is told of and no error: it may want better arguments, or a grant.
    ///
    /// # Errors
    /// When it has no interface that doors can be made of, imports what this host does not have, or
    /// can not be compiled.
    pub async fn prove(
        &self,
        gate: &Gate,
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<(), BuildError> {
        let unusable = |reason: String| BuildError::Unusable {
            name: self.name.clone(),
            reason,
        };
        let file = DoorFile::from_bytes(&self.name, self.component.clone())
            .map_err(|error| unusable(error.to_string()))?;
        let file = match &self.schema {
            Some(schema) => file
                .described(schema)
                .map_err(|error| unusable(error.to_string()))?,
            None => file,
        };
        file.check().map_err(|error| unusable(error.to_string()))?;
        for door in Arc::new(file).doors() {
            let door = GuardedDoor::pure(door);
            let arguments = door.door.function.least().to_string();
            let Admission::Open { values, .. } = gate.admit(&door, &arguments, false) else {
                // What a program takes is known by its schema alone.
                continue;
            };
            let conditions = Conditions {
                time: 0,
                seed: 0,
                fuel: door.limits.fuel,
                ..Conditions::default()
            };
            let came = gate.open(&door, values, conditions).await;
            match &came.outcome {
                Outcome::Said { .. } | Outcome::OwnError { .. } => {}
                Outcome::Unusable { what } | Outcome::HostFault { what } => {
                    return Err(unusable(what.clone()));
                }
                outcome => {
                    came.printed
                        .lines()
                        .for_each(|line| progress(Step::Said { line }));
                    progress(Step::Failed {
                        door: &door.door.name,
                        arguments: &arguments,
                        observation: &Words::En.observation(outcome),
                    });
                }
            }
        }
        Ok(())
    }
}

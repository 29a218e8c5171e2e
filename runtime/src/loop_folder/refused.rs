//! Why a component of the folder is not opened, for a person.

use loop_spec::Digest;
use loop_spec::lock::Unaccepted;

use super::LoopFolder;
use crate::OwnFileError;

impl LoopFolder {
    /// Why a component is not opened, with the person's own words where they revoked it, and with the
    /// command that changes it where there is one.
    ///
    /// # Errors
    /// What is revoked cannot be read.
    pub fn told(&self, why: Unaccepted, component: &Digest) -> Result<String, OwnFileError> {
        let revocation = match why {
            Unaccepted::Revoked => self.revoked().of(component)?,
            _ => None,
        };
        Ok(match (revocation, why) {
            (Some(revocation), _) => revocation.told(component),
            (None, Unaccepted::NoEntry | Unaccepted::Changed) => {
                let dir = self.dir.display();
                format!("{why}; `doorlist lock {dir}` shows and accepts it")
            }
            (None, _) => why.to_string(),
        })
    }
}

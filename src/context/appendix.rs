//! stub
use crate::transcript::CompactionDetails;
/// stub
pub fn render(_d: &CompactionDetails, _r: Option<&str>) -> String {
    String::new()
}

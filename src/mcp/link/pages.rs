//! Lists that a server gives page by page.

use rmcp::model::PaginatedRequestParams;

/// Pages of a list.
const MAX_PAGES: usize = 100;

/// What is on all pages. No further page is asked for once there are `most`.
pub(super) async fn all_pages<T, E, R>(
    most: usize,
    read: impl Fn(PaginatedRequestParams) -> R,
) -> Result<Vec<T>, E>
where
    R: Future<Output = Result<(Vec<T>, Option<String>), E>>,
{
    let (mut found, mut cursor) = (Vec::new(), None);
    for _ in 0..MAX_PAGES {
        let (page, next) = read(PaginatedRequestParams::default().with_cursor(cursor)).await?;
        found.extend(page);
        cursor = next;
        if cursor.is_none() || found.len() >= most {
            break;
        }
    }
    Ok(found)
}

//! What stands before the conversation of a request: the system prompt with the notes and skills
//! in it, and the tools with those of servers. What each part takes, and its item.

use std::sync::Arc;

use super::request_context::RequestContext;
use crate::context::apportion::apportion;
use crate::context::category::{ByCategory, Category};
use crate::context::preview;
use crate::context::projection::{FRAME_ITEMS, PreambleTokens, ViewBuilder, frame_item};
use crate::context::ruler::Ruler;
use crate::context::view::{FrameText, FullSize, ServerShare, ViewItem};
use crate::transcript::{ServerGroup, ToolSchema};

/// Estimates of the parts, with what they were made of.
pub(super) struct FrameEstimate {
    made_of: RequestContext,
    /// The estimates of system prompt and tools.
    pub tokens: PreambleTokens,
    /// What the parts take of these.
    parts: ByCategory,
    /// What each group of tools takes of those of servers.
    groups: Vec<u64>,
}

/// The tokens of the parts, as a view counts.
#[derive(Clone, Default)]
pub(super) struct FrameShares {
    /// Nothing but parts that stand before the conversation.
    pub parts: ByCategory,
    servers: Arc<[ServerShare]>,
}

impl FrameEstimate {
    /// Counts the parts of a request.
    pub(super) fn of(request: &RequestContext, ruler: &dyn Ruler) -> Self {
        let system = if request.system.is_empty() {
            0
        } else {
            ruler.text_tokens(&request.system) + ruler.message_overhead_tokens()
        };
        let tools = ruler.tools_tokens(&request.tools);
        let text = |part: &Option<Arc<str>>| {
            let part = part.as_deref();
            part.map_or(0, |text| ruler.text_tokens(text))
        };
        let memory = text(&request.memory).min(system);
        let skills = text(&request.skills).min(system - memory);
        let group = |group: &Arc<ServerGroup>| {
            let tools = request.tools.iter();
            let own: Vec<ToolSchema> = tools.filter(|it| group.has(it)).cloned().collect();
            ruler.tools_tokens(&own)
        };
        let groups: Vec<u64> = request.servers.iter().map(group).collect();
        let servers = groups.iter().sum::<u64>().min(tools);
        let mut parts = ByCategory::default();
        for (category, tokens) in [
            (Category::System, system - memory - skills),
            (Category::Tools, tools - servers),
            (Category::Servers, servers),
            (Category::Memory, memory),
            (Category::Skills, skills),
        ] {
            parts.add(category, tokens);
        }
        Self {
            made_of: RequestContext {
                live: None,
                ..request.clone()
            },
            tokens: PreambleTokens { system, tools },
            parts,
            groups,
        }
    }

    /// Whether these are the estimates of a request.
    pub(super) fn is_of(&self, request: &RequestContext) -> bool {
        let known = &self.made_of;
        let (tools, servers) = (&request.tools, &request.servers);
        known.system == request.system
            && known.memory == request.memory
            && known.skills == request.skills
            && (Arc::ptr_eq(&known.tools, tools) || *known.tools == **tools)
            && (Arc::ptr_eq(&known.servers, servers) || *known.servers == **servers)
    }

    /// Shares out what system prompt and tools take as the view counts.
    pub(super) fn shares(&self, counted: PreambleTokens) -> FrameShares {
        let mut parts = ByCategory::default();
        let mut share_out = |total: u64, among: &[Category]| {
            let weights: Vec<u64> = among.iter().map(|it| self.parts.get(*it)).collect();
            for (category, tokens) in among.iter().zip(apportion(total, &weights)) {
                parts.add(*category, tokens);
            }
        };
        let in_system = [Category::System, Category::Memory, Category::Skills];
        share_out(counted.system, &in_system);
        share_out(counted.tools, &[Category::Tools, Category::Servers]);
        let groups = apportion(parts.get(Category::Servers), &self.groups);
        let servers = self.made_of.servers.iter().zip(groups);
        let share = |(group, tokens): (&Arc<ServerGroup>, u64)| ServerShare {
            group: Arc::clone(group),
            tokens,
        };
        FrameShares {
            parts,
            servers: servers.map(share).collect(),
        }
    }

    /// Puts the items of the parts in their places.
    pub(super) fn put(&self, list: &mut ViewBuilder, shares: &FrameShares) {
        for (at, category) in Category::ALL.into_iter().take(FRAME_ITEMS).enumerate() {
            let estimate = self.parts.get(category);
            let item = ViewItem {
                tokens: shares.parts.get(category),
                estimate_tokens: estimate,
                full: FullSize::estimated(estimate),
                preview: self.preview(category, shares),
                ..frame_item(category)
            };
            list.items.set_mut(at, Arc::new(item));
        }
    }

    fn preview(&self, category: Category, shares: &FrameShares) -> Arc<str> {
        let request = &self.made_of;
        let text = |part: &Option<Arc<str>>| preview::of_text(part.as_deref().unwrap_or_default());
        match category {
            Category::Tools => {
                let servers = &request.servers;
                let tools = request.tools.iter();
                let own = tools.filter(|tool| !servers.iter().any(|group| group.has(tool)));
                let names: Vec<&str> = own.map(|tool| tool.name.as_str()).collect();
                preview::of_text(&names.join(", "))
            }
            Category::Servers => {
                let servers: Vec<String> =
                    shares.servers.iter().map(ServerShare::in_words).collect();
                preview::of_text(&servers.join(" · "))
            }
            Category::Memory => text(&request.memory),
            Category::Skills => text(&request.skills),
            _ => preview::of_text(&request.system),
        }
    }
}

impl FrameShares {
    /// The texts of a request before its conversation.
    pub(super) fn text(&self, request: &RequestContext) -> FrameText {
        FrameText {
            system: Arc::clone(&request.system),
            memory: request.memory.clone(),
            skills: request.skills.clone(),
            tools: Arc::clone(&request.tools),
            servers: Arc::clone(&self.servers),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::context::ruler::Approximate;

    fn tool(name: &str, length: usize) -> ToolSchema {
        ToolSchema {
            name: name.to_owned(),
            description: "x".repeat(length),
            parameters: json!({"type": "object"}),
        }
    }

    fn group(name: &str, tools: &[&str]) -> Arc<ServerGroup> {
        Arc::new(ServerGroup {
            name: name.to_owned(),
            tools: tools.iter().map(|it| (*it).to_owned()).collect(),
        })
    }

    fn request() -> RequestContext {
        RequestContext {
            system: Arc::from("You are careful. # Notes: none. # Skills: release"),
            memory: Some(Arc::from("# Notes: none.")),
            skills: Some(Arc::from("# Skills: release")),
            tools: Arc::from([tool("read", 40), tool("a__x", 400), tool("b__y", 4_000)]),
            servers: Arc::from([group("a", &["a__x"]), group("b", &["b__y"])]),
            ..RequestContext::default()
        }
    }

    #[test]
    fn each_part_and_each_server_has_its_share_and_they_add_up() {
        let framed = FrameEstimate::of(&request(), &Approximate);
        for (system, tools) in [(0, 0), (17, 1_201), (100_000, 3)] {
            let shares = framed.shares(PreambleTokens { system, tools });
            assert_eq!(shares.parts.total(), system + tools);
            let servers: u64 = shares.servers.iter().map(|it| it.tokens).sum();
            assert_eq!(servers, shares.parts.get(Category::Servers));
        }
        let shares = framed.shares(framed.tokens);
        let of = |category| shares.parts.get(category);
        assert!(of(Category::Skills) > 0 && of(Category::Memory) > 0 && of(Category::System) > 0);
        let [a, b] = &*shares.servers else {
            panic!("{:?}", shares.servers)
        };
        assert!(b.tokens > 5 * a.tokens && a.tokens > of(Category::Tools));
        let words = a.in_words();
        assert!(words.starts_with("a: 1 tool, "), "{words}");
    }

    #[test]
    fn estimates_hold_until_a_part_changes() {
        let framed = FrameEstimate::of(&request(), &Approximate);
        assert!(framed.is_of(&request()));
        let others = [
            RequestContext {
                skills: None,
                ..request()
            },
            RequestContext {
                memory: None,
                ..request()
            },
            RequestContext {
                servers: Arc::default(),
                ..request()
            },
            RequestContext {
                tools: Arc::default(),
                ..request()
            },
        ];
        for other in others {
            assert!(!framed.is_of(&other));
        }
    }
}

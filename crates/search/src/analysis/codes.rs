//! Model numbers and SKUs: kept whole and in parts, because customers type any of them.

/// Whether a folded word looks like a model number: it mixes letters and digits, or is long and only digits.
#[must_use]
pub fn is_code(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    word.len() >= 3 && ((digits > 0 && letters > 0) || digits >= 5) && digits + letters + 4 >= word.len()
}

/// The terms a folded code is found by: whole without its punctuation, its pieces, and each start that ends where letters change to digits.
///
/// `ifp-5550bun/x` gives `ifp5550bunx`, `ifp`, `5550bun`, `x`, `ifp5550`, `ifp5550bun`, …
#[must_use]
pub fn code_parts(code: &str) -> Vec<String> {
    let whole: String = code.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let mut terms = Vec::new();
    let mut push = |term: &str| {
        if term.len() >= 2 && !terms.iter().any(|known: &String| known == term) {
            terms.push(term.to_owned());
        }
    };
    push(&whole);
    for piece in code.split(|c: char| !c.is_ascii_alphanumeric()) {
        push(piece);
    }
    let mut start = String::new();
    let mut previous: Option<char> = None;
    for c in code.chars() {
        let breaks = previous.is_some_and(|p| p.is_ascii_digit() != c.is_ascii_digit() || !c.is_ascii_alphanumeric());
        if breaks && start.len() >= 3 {
            push(&start);
        }
        if c.is_ascii_alphanumeric() {
            start.push(c);
        }
        previous = Some(c);
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_number_is_found_whole_and_in_parts() {
        let parts = code_parts("ifp5550bun");
        assert!(parts.contains(&"ifp5550bun".to_owned()) && parts.contains(&"ifp5550".to_owned()));
        let parts = code_parts("dv7-1211ea");
        for part in ["dv71211ea", "dv7", "1211ea", "dv71211"] {
            assert!(parts.contains(&part.to_owned()), "{part} in {parts:?}");
        }
        assert!(is_code("006r90321") && is_code("dv7-1211ea") && is_code("0884420588030"));
        assert!(!is_code("dress") && !is_code("42") && !is_code("连衣裙"));
    }
}

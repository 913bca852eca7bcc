//! Chinese numerals in prices: 三百 is 300, 一千五 is 1500, 两万 is 20000.

/// The text with Chinese numerals of at least one multiplier (百, 千, 万) after a digit as Arabic digits; other characters stay.
pub(super) fn arabic(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut run = String::new();
    for c in text.chars().chain(std::iter::once('\0')) {
        if digit(c).is_some() || multiplier(c).is_some() {
            run.push(c);
            continue;
        }
        match value(&run) {
            Some(number) => out.push_str(&number.to_string()),
            None => out.push_str(&run),
        }
        run.clear();
        if c != '\0' {
            out.push(c);
        }
    }
    out
}

fn digit(c: char) -> Option<i64> {
    "零一二三四五六七八九".chars().zip(0..).find(|(known, _)| *known == c).map(|(_, n)| n).or((c == '两').then_some(2))
}

fn multiplier(c: char) -> Option<i64> {
    match c {
        '十' => Some(10),
        '百' => Some(100),
        '千' => Some(1_000),
        '万' => Some(10_000),
        _ => None,
    }
}

fn value(run: &str) -> Option<i64> {
    let first = run.chars().next()?;
    digit(first).filter(|first| *first > 0)?;
    if !run.chars().any(|c| matches!(c, '百' | '千' | '万')) {
        return None;
    }
    let (mut total, mut section, mut pending, mut unit) = (0_i64, 0_i64, None, 1_i64);
    for c in run.chars() {
        match (digit(c), multiplier(c)) {
            (Some(0), _) => unit = 10,
            (Some(n), _) if pending.is_none() => pending = Some(n),
            (_, Some(10_000)) => {
                total += (section + pending.take().unwrap_or(0)) * 10_000;
                (section, unit) = (0, 10_000);
            }
            (_, Some(times)) => {
                section += pending.take()? * times;
                unit = times;
            }
            _ => return None,
        }
    }
    // A last digit without a multiplier counts in tenths of the one before: 一千五.
    let rest = pending.map_or(0, |n| n * (unit / 10).max(1));
    Some(total + section + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_become_digits_and_words_stay() {
        for (text, expected) in [
            ("三百以下", "300以下"),
            ("一千五左右", "1500左右"),
            ("两万块", "20000块"),
            ("两千三百五", "2350"),
            ("一百零五元", "105元"),
            ("百搭上衣", "百搭上衣"),
            ("千层蛋糕", "千层蛋糕"),
            ("四件套", "四件套"),
        ] {
            assert_eq!(arabic(text), expected);
        }
    }
}

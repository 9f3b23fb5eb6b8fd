//! Names of units, with what they measure. A name can stand for several units: `m` is
//! minutes, millions or metres.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::context::grounding::fold::folded_text;

/// What a number measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::context::grounding) enum Dimension {
    /// The number as it is written, whatever it counts.
    Count,
    /// Seconds.
    Time,
    /// Bytes.
    Bytes,
    /// Hundredths.
    Percent,
    /// How many times as much.
    Factor,
    /// Money of a currency, by its place in [`CURRENCIES`].
    Money(u8),
    /// Hundredths of some currency.
    Cents,
}

impl Dimension {
    /// A number of its own, to sort by.
    pub(in crate::context::grounding) fn rank(self) -> u16 {
        const MONEY: u16 = 0x100;
        match self {
            Self::Count => 0,
            Self::Time => 1,
            Self::Bytes => 2,
            Self::Percent => 3,
            Self::Factor => 4,
            Self::Cents => 5,
            Self::Money(currency) => MONEY + u16::from(currency),
        }
    }
}

/// A unit: what it measures and how many base units it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::context::grounding) struct Unit {
    /// What it measures.
    pub dimension: Dimension,
    /// Seconds, bytes, … of one.
    pub factor: f64,
}

const fn unit(dimension: Dimension, factor: f64) -> Unit {
    Unit { dimension, factor }
}

/// Currencies by sign, code and name.
const CURRENCIES: &[&[&str]] = &[
    &[
        "$",
        "us$",
        "usd",
        "dollar",
        "dollars",
        "dolar",
        "dolares",
        "美元",
        "ドル",
        "달러",
        "доллар",
        "долларов",
    ],
    &[
        "€",
        "eur",
        "euro",
        "euros",
        "欧元",
        "ユーロ",
        "유로",
        "евро",
    ],
    &["£", "gbp", "pound", "pounds", "英镑"],
    &[
        "¥",
        "jpy",
        "yen",
        "円",
        "日元",
        "cny",
        "rmb",
        "元",
        "yuan",
        "人民币",
    ],
    &["zł", "pln", "zloty", "zlotych"],
    &["₽", "rub", "руб", "рублей", "рубля"],
    &["₺", "tl", "lira"],
    &["₩", "krw", "원"],
    &["chf", "franken"],
    &["brl", "r$", "reais"],
    &["₹", "inr", "rupees"],
    &["sek", "nok", "dkk", "kr"],
    &["cad"],
    &["aud"],
    &["czk", "kč"],
];

/// Names of other units.
const UNITS: &[(Dimension, f64, &[&str])] = &[
    (Dimension::Time, 1e-9, &["ns", "nanoseconds", "nanosecond"]),
    (
        Dimension::Time,
        1e-6,
        &["µs", "us", "μs", "microseconds", "microsecond", "微秒"],
    ),
    (
        Dimension::Time,
        1e-3,
        &[
            "ms",
            "msec",
            "millisecond",
            "milliseconds",
            "millisekunden",
            "millisekunde",
            "millisecondes",
            "milisegundos",
            "milissegundos",
            "millisecondi",
            "milliseconden",
            "milisekund",
            "мс",
            "миллисекунд",
            "milisaniye",
            "毫秒",
            "ミリ秒",
            "밀리초",
        ],
    ),
    (
        Dimension::Time,
        1.0,
        &[
            "s",
            "sec",
            "secs",
            "second",
            "seconds",
            "sekunde",
            "sekunden",
            "sek",
            "seconde",
            "secondes",
            "segundo",
            "segundos",
            "secondo",
            "secondi",
            "seconden",
            "sekund",
            "sekundy",
            "с",
            "сек",
            "секунд",
            "секунды",
            "секунда",
            "saniye",
            "sn",
            "秒",
            "秒钟",
            "초",
        ],
    ),
    (
        Dimension::Time,
        60.0,
        &[
            "m",
            "min",
            "mins",
            "minute",
            "minutes",
            "minuten",
            "minuto",
            "minutos",
            "minuti",
            "minut",
            "minuty",
            "мин",
            "минут",
            "минуты",
            "dakika",
            "dk",
            "分",
            "分钟",
            "分間",
            "분",
        ],
    ),
    (
        Dimension::Time,
        3_600.0,
        &[
            "h",
            "hr",
            "hrs",
            "hour",
            "hours",
            "std",
            "stunde",
            "stunden",
            "heure",
            "heures",
            "hora",
            "horas",
            "ora",
            "ore",
            "uur",
            "uren",
            "godzin",
            "godziny",
            "godz",
            "час",
            "часа",
            "часов",
            "saat",
            "小时",
            "時間",
            "시간",
        ],
    ),
    (
        Dimension::Time,
        86_400.0,
        &[
            "d", "day", "days", "tag", "tage", "tagen", "jour", "jours", "dia", "dias", "giorno",
            "giorni", "dag", "dagen", "dzien", "dni", "день", "дня", "дней", "gun", "天", "日間",
            "일",
        ],
    ),
    (
        Dimension::Time,
        604_800.0,
        &[
            "w", "week", "weeks", "woche", "wochen", "semaine", "semaines", "semana", "semanas",
            "weken", "周", "週間", "주",
        ],
    ),
    (
        Dimension::Bytes,
        1.0,
        &[
            "b",
            "byte",
            "bytes",
            "octets",
            "字节",
            "バイト",
            "바이트",
            "байт",
        ],
    ),
    (
        Dimension::Bytes,
        1e3,
        &["kb", "kilobyte", "kilobytes", "кб"],
    ),
    (Dimension::Bytes, 1_024.0, &["kb", "kib", "ki", "k"]),
    (
        Dimension::Bytes,
        1e6,
        &["mb", "megabyte", "megabytes", "мб"],
    ),
    (Dimension::Bytes, 1_048_576.0, &["mb", "mib", "mi", "m"]),
    (
        Dimension::Bytes,
        1e9,
        &["gb", "gigabyte", "gigabytes", "гб"],
    ),
    (Dimension::Bytes, 1_073_741_824.0, &["gb", "gib", "gi", "g"]),
    (
        Dimension::Bytes,
        1e12,
        &["tb", "terabyte", "terabytes", "тб"],
    ),
    (
        Dimension::Bytes,
        1_099_511_627_776.0,
        &["tb", "tib", "ti", "t"],
    ),
    (
        Dimension::Percent,
        1.0,
        &[
            "%",
            "％",
            "percent",
            "pct",
            "prozent",
            "pourcent",
            "procent",
            "процент",
            "процента",
            "процентов",
            "yuzde",
            "퍼센트",
            "パーセント",
        ],
    ),
    (
        Dimension::Factor,
        1.0,
        &["x", "×", "fold", "fach", "倍", "배"],
    ),
    (
        Dimension::Cents,
        1.0,
        &["cent", "cents", "ct", "centimes", "centimos"],
    ),
];

/// Words that multiply the number before them.
const MULTIPLIERS: &[(f64, &[&str])] = &[
    (
        1e3,
        &[
            "k",
            "thousand",
            "tausend",
            "tsd",
            "mille",
            "mil",
            "mila",
            "duizend",
            "tys",
            "тыс",
            "тысяч",
            "bin",
            "千",
            "천",
        ],
    ),
    (1e4, &["万", "만"]),
    (
        1e6,
        &[
            "m",
            "mio",
            "mln",
            "million",
            "millions",
            "millionen",
            "millones",
            "milhoes",
            "milioni",
            "miljoen",
            "mln",
            "milionow",
            "млн",
            "миллионов",
            "milyon",
            "百万",
        ],
    ),
    (1e8, &["亿", "億", "억"]),
    (
        1e9,
        &[
            "bn",
            "billion",
            "billions",
            "milliarden",
            "mrd",
            "milliards",
            "miliardi",
            "miljard",
            "mld",
            "млрд",
            "milyar",
        ],
    ),
];

static BY_NAME: LazyLock<FxHashMap<String, Vec<Unit>>> = LazyLock::new(|| {
    let mut out: FxHashMap<String, Vec<Unit>> = FxHashMap::default();
    for (number, names) in CURRENCIES.iter().enumerate() {
        let money = Dimension::Money(u8::try_from(number).unwrap_or(u8::MAX));
        for name in *names {
            out.entry(folded_text(name))
                .or_default()
                .push(unit(money, 1.0));
        }
    }
    for (dimension, factor, names) in UNITS {
        for name in *names {
            out.entry(folded_text(name))
                .or_default()
                .push(unit(*dimension, *factor));
        }
    }
    out
});

static MULTIPLIER_BY_NAME: LazyLock<FxHashMap<String, f64>> = LazyLock::new(|| {
    let rows = MULTIPLIERS.iter();
    rows.flat_map(|(factor, names)| names.iter().map(|name| (folded_text(name), *factor)))
        .collect()
});

/// The units that a name can stand for.
pub(super) fn named(name: &str) -> &'static [Unit] {
    BY_NAME.get(name).map_or(&[], Vec::as_slice)
}

/// What a word multiplies the number before it by.
pub(super) fn multiplier(name: &str) -> Option<f64> {
    MULTIPLIER_BY_NAME.get(name).copied()
}

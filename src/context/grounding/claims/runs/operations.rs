//! What command lines do, and how summaries call it.

use std::sync::LazyLock;

use regex::Regex;

use crate::context::identifiers::is_unspaced;

/// What a command line does.
struct Operation {
    /// Words of a summary that name it, folded: a regular expression.
    told: &'static str,
    /// Words of a command that does it: a regular expression.
    command: &'static str,
    /// Its outcome is that of a check: what it did not find is a result as well.
    is_check: bool,
}

const OPERATIONS: &[Operation] = &[
    Operation {
        told: r"tests?|test ?suites?|suites?|specs?|pytest|jest|vitest|phpunit|rspec|playwright|cypress|e2e|tests unitaires|pruebas|testes|testy|тест\w*|testler|测试|テスト|테스트",
        command: r"test\w*|pytest|jest|vitest|phpunit|rspec|playwright|cypress|ctest|tox|nextest|behave|karma|mocha",
        is_check: true,
    },
    Operation {
        told: r"lint\w*|eslint|clippy|ruff|flake8|pylint|rubocop|shellcheck|stylelint|golangci-lint",
        command: r"lint\w*|eslint|clippy|ruff|flake8|pylint|rubocop|shellcheck|stylelint|golangci-lint",
        is_check: true,
    },
    Operation {
        told: r"type ?-?checks?|type ?-?checking|typecheck\w*|tsc|mypy|pyright",
        command: r"tsc|mypy|pyright|typecheck|type-check",
        is_check: true,
    },
    Operation {
        told: r"builds?|compiles?|compilation|kompilier\w*|compil\w+|сборк\w*|构建|编译|ビルド|빌드",
        command: r"build|make|gradle|gradlew|mvn|cmake|ninja|webpack|tsc|gcc|clang|javac|rustc|compile",
        is_check: true,
    },
    Operation {
        told: r"migrat\w+|миграци\w*|迁移|マイグレーション|마이그레이션",
        command: r"migrat\w*|alembic|flyway|liquibase",
        is_check: false,
    },
    Operation {
        told: r"push|pushed|gepusht|pousse|推送|プッシュ|푸시",
        command: r"git(?: -\S+(?: \S+)?)* push",
        is_check: false,
    },
    Operation {
        told: r"tag|tagged|getaggt|etiquetad\w+|标签|タグ|태그",
        command: r"git(?: -\S+(?: \S+)?)* tag",
        is_check: false,
    },
    Operation {
        told: r"clon\w+|geklont|克隆|クローン|클론",
        command: r"git(?: -\S+(?: \S+)?)* clone",
        is_check: false,
    },
    Operation {
        told: r"commit|committed|commits|提交|コミット|커밋",
        command: r"git(?: -\S+(?: \S+)?)* commit",
        is_check: false,
    },
    Operation {
        told: r"merg\w+|gemergt|fusionn\w+|合并|マージ|병합",
        command: r"git(?: -\S+(?: \S+)?)* merge|gh pr merge",
        is_check: false,
    },
    Operation {
        told: r"restart\w*|neugestartet|neu gestartet|redemarr\w+|reinici\w+|riavvi\w+|herstart\w*|перезапу\w+|重启|再起動|재시작",
        command: r"restart|reload|reboot",
        is_check: false,
    },
    Operation {
        told: r"stopped|stopping|gestoppt|angehalten|arret\w+|deten\w+|parad\w+|fermat\w+|остановлен\w*|停止|중지",
        command: r"stop|kill|pkill|down",
        is_check: false,
    },
    Operation {
        told: r"deploy\w*|rollout|ausgerollt|desplieg\w*|desplegad\w*|деплой\w*|部署|デプロイ|배포",
        command: r"deploy\w*|rollout|helm|kubectl apply|vercel|netlify|fly|terraform apply",
        is_check: false,
    },
    Operation {
        told: r"publish\w*|upload\w*|veroffentlich\w*|hochgeladen|publi\w+|опубликован\w*|发布|上传|公開|게시",
        command: r"publish|upload|twine",
        is_check: false,
    },
    Operation {
        told: r"install\w*|installiert|instal\w+|установлен\w*|安装|インストール|설치",
        command: r"install|add|i",
        is_check: false,
    },
    Operation {
        told: r"dropp?\w*|drop|gedroppt|gelosch\w*|supprim\w*|eliminad\w*|删除|削除|삭제",
        command: r"drop|dropdb",
        is_check: false,
    },
    Operation {
        told: r"count\w*|queried|query|gezahlt|abgefragt|查询",
        command: r"psql|mysql|sqlite3|mongo\w*|sqlcmd|bq|select",
        is_check: false,
    },
    Operation {
        told: r"logged in|login|ssh|retrieved|eingeloggt",
        command: r"ssh|login|scp",
        is_check: false,
    },
];

/// The same, ready to be looked for.
pub(super) struct OperationCues {
    pub told: Option<Regex>,
    pub command: Option<Regex>,
    pub is_check: bool,
}

pub(super) static OPERATION_CUES: LazyLock<Vec<OperationCues>> = LazyLock::new(|| {
    let word = |words: &str| {
        let (signs, spaced): (Vec<&str>, Vec<&str>) = words
            .split('|')
            .partition(|word| word.chars().next().is_some_and(is_unspaced));
        let spaced = format!(r"\b(?:{})\b", spaced.join("|"));
        let all: Vec<String> = signs
            .into_iter()
            .map(str::to_owned)
            .chain([spaced])
            .collect();
        Regex::new(&all.join("|")).ok()
    };
    let rows = OPERATIONS.iter().map(|row| OperationCues {
        told: word(row.told),
        command: Regex::new(&format!(
            r"(?i)(?:^|[\s/:;&|({{'\x22])(?:{})(?:$|[\s;&|:)'\x22.-])",
            row.command
        ))
        .ok(),
        is_check: row.is_check,
    });
    rows.collect()
});

//! Things that are outside of the files of a conversation, folded beginnings of words.

/// In scripts with spaces.
pub(super) const OUTSIDE: &str = "\
ticket issue milestone epic backlog board jira confluence wiki roadmap \
docs-site website site homepage portal storefront landing \
server cluster node nodes pod pods runner machine vm host replica instance firewall proxy gateway \
cdn dns domain certificate zertifikat \
token credential password passwort secret zugang access permission \
alert alarm monitor dashboard pager on-call oncall incident outage \
calendar kalender calendrier calendario календар meeting appointment termin invitation slot window fenster ventana fenetre \
backup snapshot sicherung resguardo \
budget quota price customer kunde cliente vendor supplier lieferant contract vertrag licence license lizenz licenc subscription abo \
iban records stammdat datensatz datensatze fichas registros \
hotel flight flug train room raum taxi \
pipeline workflow cron nightly \
newsletter podcast webinar survey umfrage \
merge-request pull-request pull mr demande solicitud incidencia \
тикет задач сервер кластер узел узл доступ пайплайн заявк отпуск";

/// In several words.
pub(super) const PHRASES: &[&str] = &[
    "merge request",
    "pull request",
    "docs site",
    "feature flag",
    "demande de fusion",
    "solicitud de",
    "richiesta di",
];

/// In scripts without spaces.
pub(super) const OUTSIDE_SIGNS: &str = "\
合并请求 工单 里程碑 服务器 集群 节点 流水线 令牌 证书 域名 告警 监控 日历 会议 维护窗口 备份 客户 合同 许可证 订阅 酒店 机票 账号 权限 文档站 官网 \
プルリクエスト マージリクエスト チケット サーバー クラスタ ノード パイプライン トークン 証明書 ドメイン アラート カレンダー 会議 メンテナンス バックアップ 顧客 契約 ライセンス ホテル アカウント 権限 \
풀리퀘스트 티켓 서버 클러스터 노드 파이프라인 토큰 인증서 도메인 알림 캘린더 회의 백업 고객 계약 라이선스 호텔 계정 권한";

/// Words for those who act and are neither the person nor the model, folded.
pub(super) const ACTORS: &str = "\
ops team management legal security finance support admin admins administrator reviewer reviewers colleague boss \
manager maintainer maintainers organiser organisers organizer organizers customer customers vendor supplier \
board committee office department";

/// Verbs that run a migration, folded beginnings.
pub(super) const RUNS: &str = "\
applied execut angewend ausgefuhr eingespiel applique execute aplicad aplico ejecut executad eseguit \
applicat toegepas uitgevoer zastosow wykonan применен выполнен uygulan 应用 执行 适用 適用 実行 적용 실행";

/// Words for a migration, folded.
pub(super) const MIGRATIONS: &str = "\
migration migracion migracao migrazion migratie migracj миграц 迁移 移行 マイグレーション 마이그레이션";

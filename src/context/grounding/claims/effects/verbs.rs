//! Stems of verbs, folded: those of the work itself, those that can also change something
//! outside of it, and groups of stems that stand for one another.

/// Verbs of reading, thinking, measuring, saying and of what programs do: no effect that a
/// reader could take for done outside of the conversation's files.
pub(super) const INNER: &str = "\
cure heal remed associat offer size sized doubl trebl quadrupl unpack hand handed embed compris exit heap eas ceas scor climb soar plumm peak settl crept jump plateau \
abort absor account achiev acknowledg adapt address adjust affect aim align allow \
alter amount analy annotat appear append appl arriv ask assert assess assign assum \
attach attempt attribut avoid aggregat back bas becom began begin begun behav belong bench \
bisect bound break broke brok brought buil bump bypass calculat call captur carr \
cast catch caught categori caus chain chang check choos chos circumvent cit claim clamp \
clarif classif clean click cod collaps collect combin comment commit compar compil \
 complet compos compress comput concern conclud condens configur conflict confus \
connect consider consist constrain contain continu contribut convert correct correspond count \
cover crash cross deal dealt debug decid declar decod decompos decouple decreas dedup deduc \
default defer defin delay delegat demonstrat denot depend deriv describ \
design desir detail detect determin develop diagnos differ discard discover discuss display \
disprov distinguish distribut divid document draft draw drawn driv dropp drov duplicat eas \
edit eliminat embed emit employ encapsulat encod encounter end enforc enlarg ensur enter \
enumerat equal escap establish estimat evaluat exceed exclud execut exercis exist expand \
expect experienc explain explor expos express extend extract fac fail fall fallen fed fell \
felt figur fill filter finali find finish fit fix flagg flak flatten flaw focus follow \
forbid forbidden forc forgot format formulat found fulfil fulfill gain gather generali \
generat gott grew group grow grown guard guess guid halv handl happen hard hashed held hidd \
hid highlight hinder hit hold identif ignor illustrat implement impli imply import improv \
includ incorporat increas increment indent indicat influenc inherit initiali inlin insert \
inspect instantiat integrat intend interpret interrupt introduc \
investigat involv isolat iterat join judg keep kept know known label lack last lay \
lead leak learn led left let limit link list liv load locat log look loos lost lower made \
main mak manag map mark mask match matter meant measur mention merg mind minimi mirror miss \
mistak mistaken mock model modif mov nam narrow need negat nest normali not notic number \
observ obtain occur offset omit operat optimi organi originat overflow overlook \
overrid overwrit overwritt own pad parallel parametr pars pass past patch paus perform \
permitt persist pick pin pinpoint pipe plac plann play point pos postpon prefer prefix \
prepar presen preserv prevent print priorit process produc profil prohibit prompt propagat \
propos prov provid provok pull put quantif quot rang rank reach read reali reason \
rebas recalculat receiv recogni recommend recomput reconcil reconstruct recover \
reduc reexamin refactor refer refin reflect refus regard regenerat register \
relat relax rely remain remark rememb remind remov renam render reorder reorgani repair \
repeat replac report represent reproduc request requir respect respond \
restrict restructur result retain return reus reveal revers review revis \
rewrit rewritt ris ros round rout rul run ran rerun sampl sanit satisf sav saw scan scop \
search see seem seen select separat serv set shap shorten show shown shrank shrink shrunk \
simplif simulat skip slow solv sort sourc specif spell split spott spread stand start stat \
stay stem stop stor stray strengthen strip structur stuck stud subclass substitut succeed \
suffer suggest suit summ support surfac surround suspect swap tabulat tailor \
 talk target test thought throw thrown tidi tight tim touch trac track \
transform translat transpos trigger trim truncat trust try tried tun turn typ uncover \
understood unif unwrapp upheld us valid verif view violat visit wait walk want watch \
weigh went widen work worked wrap writ writt wrong wrote yield \
kick fetch slept sleep spawn listen stall starv thrott hang hung queri inject shift \
align group outlin sketch narrow state observ assembl rephras reword recap recheck reread \
re-run re-read re-check revisit restat lack interest concern mislead convinc satisf annoy \
unaffected unchanged untouched unrelated related outdated supposed advanced detailed limited \
dedicated shared nested named typed signed based needed required involved allowed red bed speed \
need feed seed exceed succeed proceed embed hundred unused ";

/// Verbs that change a file of the work as well as something outside of it: they say of
/// something outside that it was changed.
pub(super) const EITHER: &str = "\
activat add adjust appl assign attach block bump cancel cache chang clean clear configur \
connect copi copy correct creat cut deactivat deliver disabl enabl expos extend fil grant \
import increas initiali instruct invalid launch lift link lock lower migrat mov open \
order own patch paus place post provision push put rais rebuil rebuilt record refresh regist \
remov renam renew replac reset resiz resolv restart retri rewrit roll rotat sav \
schedul set shrink sign split start stop stor suspend swap switch sync turn unblock \
unlock updat upgrad warn complet gave given took taken";

/// The same for other languages, folded stems of both kinds: verbs of the work itself.
pub(super) const INNER_ELSEWHERE: &str = "\
revis revu parcouru durchgeseh gesicht rivist olh doorgenom nageke przejrz obejrz просмотр посмотр mir mirad olhad olhou guardat angeschau nachgeschau regarde angehob behob erhob abgehob hervorgehob \
geflog flog eingebett bett verdoppel halbier verdreifach abgeseh gestiegen gefallen gewachs gewes war worden geblieb behebt uberlass \
ramene ete doubl reste apparu devenu выполнен вырос выросл \
abbrech abgebroch abgelehn abgeleg abgeschnitt abgefang abgedeck abgeleit abgegrenz abgewart ander andert anheb \
analys anpass pass ausfuhr fuhr ausgegeb auswert wert bau baut beantwort bearbeit bedeut \
beachtet begrenz begrund behand beheb behob beibehalt bekomm bemerk benann benenn benot benutz \
berechn bereinig bericht berucksichtig beschrank beschrieb beseit besproch bestand \
bestimm bestrit betracht betrof bewert bezieh bezog brach bracht codier dokument deut durchlauf \
durchsucht eingebau eingefug eingefuhr eingegrenz eingeles eingeschrank einbau einfug einlief \
entdeck entfall enthalt entschied entsproch entworf entwickel erganz ergeb erhalt erhoh erinner \
erkann erkenn erklar erlaub erledig ermittel ermoglich erreich ersetz erstell erwahn erwart \
erweiter erwies erzeug erzielt erzwung extrah fehlgeschlag fehlschlag festgehalt festgeleg \
festgestell festgemach feststell find formul form fortgesetz fug fund fung gab geb gegang geh \
gelang gelauf gelos gelt gemach gemess genann genomm genutz gepruf gerat gesag gescheh \
geschoben geschrieb geseh gesetz gestell gesuch gesunk getan geteil getest getroff gewahl gewand \
geword gezaehl gezahl gezeig gezog gibt greif grenz halb halt hielt hinterleg hinzugefug hinzugekomm \
hinzukomm identifiz ignor implement import initial interpret kapsel klar komm konfigur \
konvert korrig kurz landet las lass lauf lauft leg leit les lief lies log los mach markier mess \
misch mocht nachgewies nachgezog nachvollzieh nahm nenn notier nutz optim ordn ort plan prazis \
priorisier protokoll pruf rechn redu refaktor rutsch sag sank schein scheiter schlag schnitt \
schreib schrieb seh setz sicher sink sortier spart speicher spring stamm stand steig \
stell stieg stieß stoss such tausch teil test treff trenn trug unterbroch unterlass \
unterschied untersuch ubergeb ubernomm uberpruf uberschrieb uberschritt ubersetz ubersprung ubertrag uberzeug \
vereinbar vereinfach vereinheit vergess vergleich verglich verhind verkleiner verkurz verlang \
verlager verleg verloren vermess vermied verminder vermut verring verschob verschwund verseh versproch verstand \
versuch verurs verworf verwend verwies verzicht vorgenomm vorgeschlag vorgesch vorgezog wand weis werd \
wert wiederhol wiederhergestell wies woll wuchs wunsch zahl zeig zerleg zieh zog zugeordn \
zuruckgefuhr zuruckgegeb zuruckgekomm zuruckgestell zusammengefass zusammengefuhr zugenomm zuruckgesetz zuruckgeroll \
abaiss adapt ajout aligne allong amelior analys appel appliqu arrond attribu augment \
bais calcul chang charg choisi clarifi compar complet comprim conserv consid consta \
constru contourn contrad convert corrig coup deboit decal decid declar decouvert decri \
defin demand demontr depass deplac detect determin diagnost diminu discut divis document doubl \
echou ecrit ecart elargi enregistr entra enrich estim etabl etendu evalu evit examin exclu execut \
explic expliqu exprim extrai fait figur fix fourn franch fusion gard gener identifi ignor implement \
impos indiqu initial insert inspect integr introdui invers isol li limit list locali lu \
maintenu manqu marqu mentionn mesur mis modif montr multipl nettoy nomm not observ obten omis \
optimis ordonn particip pass perdu permis plac point port pos precis pris produi propos prouv \
provoqu ralenti ramen rappel rapport realis recharg recommand reconnu recu redig redui reecri \
refactor refus regle regroup releve remarqu remont remplac rencontr rendu renomm \
renonc rentr reparti repondu report repris repris resolu respect restaur restructur retabl reten retir \
retourn reuni revel revert risqu saisi sauv separ signal simpl simplifi soulev \
souhait specif suivi supprim survenu teste tir trait transform trouv us utilis valid \
verifi vis voulu \
abort acab aclar adapt agreg ajust alarg aline alter ampli anadi analiz \
anot apart aplic aport aprend apunt arregl asign aument averigu baj basa bas busc calcul cambi \
captur caus centr com combin comenz compar compil complet comprob comput conclu confi config \
 conoc conserv consider consigu constat construy contabil convirti copi correg corrigi \
cort cubri cumpl deb decid declar defin dej deline demostr depur deriv descart describ \
descubr desplaz detect detec determin devolv dibuj diferenci dijo disminu divid divi document \
dobl edit ejecut elabor elev elig elimin empez emple encontr ensay entend envolv escrib escrit esper \
especific establec estim estudi evalu evit examin exclu exig exist explic explor expres extend extraj extra \
fall fij filtr formul generaliz gener guard hiz hech identific ignor implement import \
impid incluy inclu increment indic insert integr interpret introduj introdu \
investig invirti le leid leyer limit limpi list llam lleg llev localiz logr mantuv manten \
manej marc med mejor mencion mid migr modific mostr mov movi necesit neg nombr not observ \
obten obtuv ocult ocurr omiti optimiz orden organiz par particip pas pase ped perd permit perm plante pon pos prefer \
pregunt prepar present preserv prob procedi proces produj produc propor propus prov proporcion prueb pus qued quit \
reaprovech realiz rebaj recalcul reconoc recort redact redondea reduj reduc reemplaz reescrib refactoriz \
referi registr rehiz relacion renombr repar repet reproduj reproduc requer resolv resuelt respet respond restaur restring result \
retir revirt romp rompi saca sal salt segui selec seleccion senal separ servi simplific sobr \
sol solucion sub sugir sum supo sustitu tom trab trabaj tradu traslad trat us usa utiliz v valid valor \
vari verific vist volv vuelt \
adicion acrescent alterad altera ajustad atribui calculad coberto colocad comparad configurad conferid \
consertad corrigid convertid decidid defini descobert desc descartad detectad diminui \
dividid document dobrad encontrad entendid escolhid escrit especificad estabelec executad explicad extraid \
feit ficou fix fundid gerad identificad ignorad implementad inclui indicad inserid introduzid \
investigad isolad lid limitad mantid marcad medid melhorad mencionad mostrad movid observad obtid omitid \
pass pedid perdid post procurad produzid propost provocad quebr realizad reduzid reescrit \
refatorad registrad removid renomead repetid resolvid respeitad salv separad simplificad solucionad substituid \
testad tirad tratad trocad usad utilizad validad verificad vist \
aggiunt analizzat annotat applicat calcolat cambiat chiarit confrontat \
controllat convertit corrett corrisp decis defini descritt determinat dett divis \
eliminat esamin esclus eseguit estratt estes evitat fatt fissat generat gestit identificat ignorat implementat impostat inclus \
indicat individuat inserit introdott isolat lasciat lett limitat mantenut marcat menzionat messo messa messi \
migliorat misurat modificat mostrat not osservat ottenut ottimizzat passat persist post pres preparat previst prodott propost \
provat raggiunt rest ricevut ridott rifattorizzat riordinat rilevat rimoss rinominat \
ripetut risolt riprodott riscritt rispettat risultat salvat scart scelt scopert scritt \
semplificat separat sistemat sostituit spiegat spostat testat tolt trattat trovat \
usat utilizzat validat verificat vist volut \
gebrui geko gekoz gelez gelop gema gevond geweest gewijzig gezet gezien gezoch gemeten getest geteld \
gerepar geschrev toegevoeg toegepas verbeter vereenvoudig verhoog verkleind verklaard verlaag vermeden vervang verplaats \
verwijder verzameld vastgesteld uitgevoer uitgebreid uitgelegd uitgezoch aangepas aangetoon opgelos \
opgesplits opgeslag ingevoer ingebouw ingesteld hernoem herschrev herstel bekek bepaald bereken beschrev besprok \
besloten bewaar beperk behou onderzoch ontdek ontworpen ontbr overgesla overschred overgenom gebouw gedaan \
gefaal geblek gebleven gecontroleer gecorrigeer gedocumenteer gegener geimplementeer geimporteer gelaten gemark genoem \
genegeer geprobeer gereduceer gerefactor gesplits getroffen gevraag gewacht gevonden \
dodan usuni zmien zmieni napraw popraw napisan zapisan przenies zastap zastosow sprawdzon znalez ustal \
wykon wykry obliczon obniz podnies podzielon opisa okresl ogranicz odczyt wprowadz wybran wyja wykorzyst \
wyekstr wydziel wygenerow wypisan wyswietl zaimplement zalezn zapewnion zaproponow zauwaz \
zachow zacz zbad zbudow zdecydow zdefiniow zdiagnoz zebran zidentyf zmierzon zmniejsz zrealizow zrobion zweryfik zwieksz \
uzyt uproszcz ujednolic udokument skompil skonfigur skop skorygow skroc sprecyz policzon polaczon powiel pozostaw przeanal \
przebud przeczyt przeksztalc przeliczon przerob przestaw przetestow przekroczon przepisan rozdzielon rozszerz rozwiaz ustawion utrzym uwzgledn \
добавл удал исправл измен найд написа перенес заменен замен проверен провер определ выявлен выявл обнаружен обнаруж описан \
указан показан сделан прочита выбран реш устран уменьш увелич сниж повыш учт учтен использован использ получ \
получен введен вынес вынесен выделен изуч измер измерен сохранен сохран ограничен огранич оставл пропущен пропуск отброш отмечен отмеч \
посчита подсчита полож понят построен постро приведен провед произвед проанализ проигнор предлож переименован переимен переписан перепис \
переработан перемещ разбит разделен раздел разобран реализован реализ сгенерирован сгенер скорректир сокращ сокр сформулир уточн упрощ упомян \
упорядоч затрон задан закодир законч завед запланир зависим документир дополнен допол \
должен нужен важен виден равен связан обязан свобод возмож необход доступ ответ момент процент документ элемент \
экран план стран сторон фрагмент компонент аргумент клиент агент данн цен сцен един времен пример пакет обмен \
eklen degistir duzelt bulun yazil tasin kaldiril sil hesaplan olcul oku secil kontrol incelen belirlen tanimlan \
kullanil azaltil artiril birak birakil ayril ayir uygulan yapil alin saptan test edil \
";

/// German participles in two parts: what comes before the stem changes what it says, so these
/// are whole words.
pub(super) const GERMAN_COMPOUNDS: &str = "\
angepass ausgefuhr ausgegeb ausgewert eingebau eingefug eingefuhr eingegrenz eingeles eingestell \
umgesetz umgestell umbenann umgebau umgeschrieb umgangen umgezog umgerechn umgewandel umgeleit \
abgebroch abgelehn abgedeck abgefang abgefrag abgeglich abgekurz abgeleit abgelauf abgeschloss \
abgesicher abgesunk abgewart abgeles abgezog abgehol abgespeicher abgewandel abgegrenz abgeschnitt \
nachgezog nachgewies nachgebau nachgestell nachgeschau nachgereich nachgeruste nachgetrag \
festgestell festgehalt festgeleg festgemach vorgenomm vorgeschlag vorgezog vorgegeb vorgeseh \
zusammengefass zusammengefuhr zusammengestell zuruckgesetz zuruckgerol zuruckgegeb zuruckgefuhr \
zuruckgestell zuruckgenomm zuruckgegang aufgeteil aufgenomm aufgelos aufgefall aufgetret aufgeruf \
aufgebau aufgefuhr aufgesetz aufgeschrieb aufgestell aufgedeck aufgeklar aufgezeig aufgespalt \
ausgelos ausgelager ausgeles ausgeklammer ausgeschloss ausgeblend ausgebau ausgelass ausgeschrieb \
ausgesproch ausgewahl ausgerichte ausprobier durchgefuhr durchgelauf durchgespiel durchgegang \
durchgereich eingehalt eingebett eingesetz eingespar eingeordn eingetret eingeschrank eingeraum \
eingekapsel fertiggestell herausgefund herausgezog herausgestell hinzugefug hinzugekomm \
hochgezog hochgesetz heruntergesetz heruntergebroch mitgelief mitgenomm mitgeteil mitgezahl \
offengelass rausgenomm sichergestell stehengeblieb weggefall weggelass weitergegeb weitergefuhr \
wiedergegeb wiedergefund wiederhergestell zugeordn zugewies zugenomm zugelass angefass angegeb \
angezeig angekomm angeseh angefang angehob angeglich angenomm angewies angewende angestoss angeord \
dazugekomm entgegengenomm fehlgeschlag gleichgezog kleingehalt klargestell richtiggestell \
bereitgestell gegenubergestell vorbereit vorgemerk ubriggeblieb untergebrach hinterleg";

/// Of these, those that change something outside of the work as well.
pub(super) const EITHER_ELSEWHERE: &str = "\
erstell angeleg anleg geander ander aktualis hinzugefug fug entfern erhoh verlanger verring ersetz \
tausch gestopp beende abgebroch erweiter bestell gebuch eingerich eingetrag \
ajout modif cre chang retir augment supprim remplac deplac \
actualiz cambi agreg elimin aument crear cre reemplaz anadi movi \
creat aggiunt modificat cambiat atualiz alterad adicion criad \
vergeb vergab gegeb genomm complet erganz nachgetrag vervollstandig aangevul ingevul uzupeln \
дополн заполн tamamla \
gewijzig aangemaak toegevoeg vervang verplaats utworzon zmien dodan usuni zastap \
измен добавл созда обнов увелич продл удал замен перенес \
degistir olusturul eklen kaldiril";

/// Verbs of the work in scripts without spaces.
pub(super) const INNER_SIGNS: &str = "\
添加 新增 增加 修改 更改 改为 改成 删除 移除 移到 移动 移至 修复 解决 完成 实现 编写 写入 写好 生成 更新 检查 分析 确认 \
验证 测试 通过 查明 找到 发现 定位 证实 说明 记录 整理 统计 计算 测量 比较 读取 阅读 了解 明确 决定 选择 采用 使用 替换 \
重构 优化 调整 补充 补上 拆分 合并 提取 抽取 引入 引用 保留 保存 处理 支持 覆盖 执行 运行 编译 构建 安装 提交 推送 提供 \
提出 列出 给出 得到 降到 降至 降低 提高 提升 减少 缩短 恢复 回滚 撤销 跳过 忽略 设置 设为 配置 定义 声明 命名 重命 包含 排除 排查 复现 \
知道 要求 同步 备份 导出 导入 转换 格式 标记 标注 注释 说过 提到 准备 开始 结束 存在 具备 就绪 无法 不再 不能 不会 没有 是否 全部 \
追加 修正 変更 削除 作成 実装 確認 検証 調査 分析 特定 発見 解決 対応 更新 生成 実行 計測 測定 比較 追跡 整理 記録 保存 \
移動 移行 置換 導入 適用 設定 定義 分割 統合 抽出 改善 改名 変換 説明 提案 決定 選択 使用 利用 判明 完了 失敗 成功 合格 \
通過 再現 修復 復旧 指定 指示 要求 依頼 報告 参照 除外 除去 無視 維持 継続 短縮 削減 低下 減少 増加 上昇 向上 改修 記述 記載 \
テスト コミット マージ リファクタ リファクタリング インポート ビルド コンパイル プッシュ ロールバック パス クリーンアップ \
추가 수정 변경 삭제 제거 구현 확인 검증 조사 분석 발견 해결 처리 작성 생성 실행 측정 비교 정리 기록 저장 이동 교체 \
도입 적용 설정 정의 분리 통합 추출 개선 변환 설명 제안 결정 선택 사용 완료 실패 성공 통과 재현 복구 지정 요청 보고 \
참조 제외 무시 유지 계속 단축 감소 증가 커밋 병합 푸시 빌드 테스트 리팩터링 롤백 이전 대체 작동 필요 시작 종료 반영 업데이트";

/// Verbs of the work and of what is outside of it, in scripts without spaces.
pub(super) const EITHER_SIGNS: &str = "\
创建 新建 更新 添加 设置 配置 删除 安排 调整 增加 提高 降低 确认 通过 完成 恢复 \
作成 設定 更新 追加 変更 依頼 報告 생성 설정 업데이트 추가 변경 요청 보고";

/// Stems that stand for one another, in all languages, folded. The first says which action.
pub(super) const KIN: &[&str] = &[
    "attach associat connect link assign bound",
    "open creat filed raise eroffn angeleg anleg erstell ouver ouvr cree crear creo crea abri \
     abier criad откры созда завед 创建 新建 打开 开启 作成 開 생성 열 otwar utworz aperto acil olustur",
    "creat crea cree erstell anleg angeleg созда 创建 作成 wrote written geschrieb escrib ecrit написа 写入",
    "close closed closing resolve geschloss schliess clotur ferme cerr fecha закры 关闭 クローズ 閉じ 닫 \
     zamkn chius gesloten kapat",
    "restart reboot rerun re-run retri retry relaunch re-trigger neu gestart neustart relanc redemarr reinici \
     перезап перезагр 重启 重新 重跑 再実行 再起動 재시작 riavvi herstart restartow",
    "stop shut power switch turn disabl kill scale cordon drain suspend paus abgeschalt ausgeschalt abschalt \
     ausschalt herunter eteint arret desactiv apag deten выключ останов отключ 关闭 停止 停机 关机 停用 \
     シャットダウン 無効 중지 종료 wylacz spegn uitgezet kapat",
    "clear flush purg invalidat empt reset wip geleer leer vid vaci limpi сброс очищ 清空 清除 クリア 초기화 svuot geleegd",
    "agree accept approv confirm sign ok lgtm zustimm zugestimm genehm freigegeb freigab bestatig einverstand \
     akzept approuv valid acept aprob confirm соглас одобр подтверд 同意 批准 审核 审批 确认 承認 了承 승인 동의 \
     zatwierdz approv goedgekeur onay",
    "tell told notif inform ping page alert mail messag benachrichtig gemeld angeschrieb prevenu avert avis \
     уведом сообщ 通知 告知 連絡 알림 powiadom avvert haber",
    "ask request gefrag frag angefrag demand pregunt pedi спрос запрос 询问 请求 依頼 요청 zapyt chiest gevraag sor",
    "book reserv schedul gebuch buch eingetrag planifi agend prenot заброн 预订 预留 安排 予約 예약 zarezerw",
    "grant gewahr erteil freigeschalt accord conced предостав 授权 授予 付与 부여 przyzn",
    "lock protect block freez froz gesperr sperr verrouill bloqu proteg блокир 锁定 封 保護 잠 zablok",
    "rotat renew refresh erneuer renouvel renov обнов 轮换 更换 更新 갱신 odnow",
    "lift remov aufgehob aufheb entfern leve levant снят 解除 해제",
    "deprecat veralt abgekund obsolet устар 废弃 弃用 非推奨",
    "replac swap exchang austausch ausgetausch getausch ersetz remplac sustitu замен 更换 替换 交換 교체",
    "record film aufgezeich aufgenomm enregistr grab запис 录制 録画 녹화",
    "applied apply applies applying execut run upgrad angewend ausgefuhr eingespiel applique aplic \
     ejecut toegepas zastosow применен выполн 应用 执行 適用 実行 적용 실행",
    "install reinstall add apt brew pip yarn pnpm npm require instal get",
    "switch enabl activat turn aktivier eingeschalt einschalt activ включ 启用 開启 有効 활성",
    "accept hire takes aufgenomm angenomm",
    "submit hand eingereich eingeb abgegeb soumis present entreg сдан подан 提交 申告 提出 제출",
];

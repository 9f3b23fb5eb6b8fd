//! Turkish.

use crate::cue::Cue::{
    Absolute, Allowed, And, Aside, AskFirst, Cease, Change, Contrast, Definite, Drop, Duty, Each,
    Filler, Forbidden, Formerly, Generally, Generic, Halt, Head, Idiom, Lasting, Limit, Manner,
    Meaning, Modal, Narration, Negative, Now, Once, Order, Over, Paper, Place, Preface, Prefer,
    Product, Purpose, Question, Reallow, Reason, Relay, Remember, Report, Request, RuleName,
    RuleNoun, Scope, Solely, Style, Suppose, Tag, Task, Then, Topic, Touch, Trouble, We, Whenever,
    Withdraw, Wonder,
};
use crate::cue::{CueTable, Script};

pub(crate) const TABLE: CueTable = CueTable {
    script: Script::Latin,
    is_verb_last: true,
    common: "ve|bir|bu|su|o|ben|sen|biz|siz|onlar|bana|sana|benim|senin|bizim|da|de|ki|mi|mu|icin|ile|gibi|ama|fakat|veya|ya|ne|neden|nasil|nerede|hangi|kim|var|yok|degil|her|hep|hic|simdi|burada|cok|daha|en|sadece|once|sonra|kadar|olarak|diye|eger|zaman|asla|lutfen",
    hasty: "bi=bir|bisey=bir sey|birsey=bir sey|sımdi=simdi|simdı=simdi|tsk=tesekkurler|tskler=tesekkurler|nbr=ne haber|yaa=ya|herseyi=her seyi|hersey=her sey|hiçbirsey=hicbir sey|hicbirsey=hicbir sey",
    clitics: "",
    cues: &[
        (
            Lasting,
            "bundan sonra|bundan boyle|artik hep|artik|simdiden sonra|bugunden itibaren|simdiden itibaren|su andan itibaren|gelecekte|ileride|ileride de|genel kural|genel kural olarak|kural olarak|kural su|kural :|kuralimiz|bu bir kural|prensip olarak|ilke olarak|bu proje icin|tum proje|butun proje|proje boyunca|bu oturum boyunca|tum oturum|hicbir kosulda|hicbir sekilde|hicbir durumda|hicbir zaman|hicbir suretle|ne olursa olsun|ne dersem diyeyim|istisnasiz|istisna yok|ben soyleyene kadar|ben diyene kadar|aksini soylemedikce|aksini soyleyene kadar|ben soylemedikce|ikinci bir emre kadar|bir daha|bir daha asla|butun cevaplarinda|tum cevaplarinda|cevaplarinda|her cevapta|tum yanitlarda|yanitlarinda|konvansiyon|sonra da|bir kurus fazla|kalici olarak|daima|varsayilan olarak hep|dogru kaynak|tek dogru kaynak|esas alinir|esastir|aliskanlik edin|bu sohbette|ben istemedikce|ben demedikce|soyleyene kadar|bir dahaki sefere|bir sonraki sefere|gelecek sefere|sadece sorarsam|ben sorarsam|yalnizca sorarsam|kalmali|kalsin|geri kalaninda|sonuna kadar|ne yaparsan yap|sonsuza kadar|ikinci bir emre|herkes icin gecerli|butun projede|tum projede|kural bu|boyle yapiyoruz|her zaman emin ol|mutlaka her zaman|her seferinde mutlaka|daima emin ol",
        ),
        (
            Generally,
            "genel olarak|genelde|genellikle|varsayilan olarak|her yerde|hicbir yerde|her|her bir|tum|butun|mumkunse|mumkun oldugunca|olabildigince|oturum basina|gunde|haftada|ayda|commit basina|dosya basina|calistirma basina|her seferinde|her defasinda|tutarli olarak|basina|gerekmedikce|*medikce|*madikca|sart degilse|altindaki her sey|icindeki her sey|her seyi",
        ),
        (
            Absolute,
            "her zaman|asla|hep|daima|hic|hicbir|kesinlikle|hic kimse|kimse|surekli|yalnizca|mutlaka|katiyen|sakin|ebediyen",
        ),
        (
            Remember,
            "unutma|unutma ki|sakin unutma|aklinda olsun|aklinda bulunsun|aklinda tut|hatirla|sunu hatirla|not :|not al|sunu not et|not et|notun olsun|bilgin olsun|haberin olsun|bil ki|bilmen gereken|bilesin|dikkat :|onemli :|fyi|hatirlatma :|sunu bil|goz onunde bulundur|dikkate al|aklina yaz|kaydet :|kural :|bilgi :|sonrasi icin|ileride lazim",
        ),
        (
            AskFirst,
            "bana sor|bana danis|once sor|once bana|bana sormadan|benden onay|benden izin|onayimi al|onayim olmadan|onayim|iznim olmadan|iznimi al|iznim|izin iste|onay iste|onay al|izin al|benimle konus|bana haber ver|once haber ver|haber ver|bana soyle|once soyle|beni uyar|benimle netlestir|benimle teyit|bana danismadan|bana teyit|teyit al|onaylamadan|onaylayana kadar|ben onayla*|ben tamam de*|bana goster once|once goster|once bana goster|bana sorarsin|sorarsin|sorman gerek|sor bana|bekle onay*|degistirmeden once sor|*meden once sor|*madan once sor|once beni ara|beni ara|emin degilsen .. sor|suphede kalirsan .. sor|supheye dusersen .. sor|tereddutte .. sor|onayim gerek*|benim onayim|hemen bana soyle|hemen soyle|ben gormeden|gormeden|ben bakmadan|bana gostermeden|once gormek istiyorum|gormek istiyorum|gormem lazim|onceden haber ver|olursa sor|varsa sor|dur ve sor|durup sor|dur ve bana sor|izin almadan|onay almadan|ben demeden|ben soylemeden|ben istemeden|ben onaylamadan|haberim olmadan|ben dedigimde|ben isteyince|ben soyleyince|tahmin etme|uydurma|varsayma|emin degilsen|sormani|iki kere sor|yesil isik|onayimi bekle|birak ben seceyim|ben karar veririm|ben secerim|onayim gerek|onayim lazim|ben tamam demeden|ben evet demeden|ben ok demeden|onayimdan sonra|tamam demeden|emin olmazsan|bilmiyorsan sor|suphede kalirsan",
        ),
        (
            Allowed,
            "sormana gerek yok|sormana luzum yok|sormak zorunda degilsin|sorman gerekmez|sorman gerekmiyor|izin istemene gerek yok|izin almana gerek yok|bana sorma|sorma|istedigin zaman|istedigin kadar|ne zaman istersen|serbestsin|serbest|izinlisin|iznin var|izin veriyorum|onaya gerek yok|rahatca|ozgursun|cekinmeden|sormadan .. *abilirsin|sormadan .. *ebilirsin|sormadan .. *abilirsiniz|istediginde .. *abilirsin|her zaman .. *abilirsin|her zaman .. *ebilirsin|rahatca .. *abilirsin|sormadan okuyabilirsin|bana sormana gerek yok|*abilirsin ama|*ebilirsin ama|*abilirsin ancak|*ebilirsin ancak|onayim olmadan .. *abilirsin|onayim olmadan .. *ebilirsin|iznim olmadan .. *ebilirsin|sormadan .. bilirsin|sormadan .. yapabilirsin|istedigin gibi|keyfine gore|kendi basina|*abilirsin sormadan",
        ),
        (
            Forbidden,
            "yasak|yasaktir|yasaklandi|izin yok|izin verilmez|izin verilmiyor|serbest degil|kacin|kacinin|uzak dur|elini surme|gormek istemiyorum|aklindan bile gecirme|sakin ha|birak .. yakasini|rahat birak|tabu|isin yok|isi yok|dokunmamani|yapmamani|kullanmamani tercih|yazmani istemiyorum|*mani istemiyorum|*meni istemiyorum|*mamani tercih|*memeni tercih|*mamani isterim|*memeni isterim|dokunmak yok|yapmak yok|kullanmak yok|*mak yok|*mek yok|yeter artik|artik yeter|birak artik|*meyi birak|*mayi birak|vazgec|kes artik|yapma bunu|bunu yapma artik|bir daha yapma|elini cek|karisma|senin isin degil|dokunulmaz|degistirilmez|yapilmaz|silinmez|onerme$|kendi basina .. ma|kendi basina pr|kafana gore|tahammulum yok|dayanamiyorum|nefret ederim|*meyi kes|*mayi kes|kesinlikle dokunma*|kesinlikle olmaz|sakin|asla .. ma|hicbir sey degistirme|dokunulmayacak|dokunulmasin|degistirilmeyecek|kullanilmayacak|hic .. istemiyorum|yeni .. istemiyorum|ben calistiririm|ben yaparim|ben yapacagim|sen degil|sadece ben|yalnizca ben|*siz .. yok|*suz .. yok|olmadan .. yok|kutsal|gizlidir|senin degil|dememis miydim|demistim yapma|yapma demistim|kullanma demistim|dokunma demistim|istemiyorum|artik istemiyorum",
        ),
        (
            Order,
            "kullan$|yaz$|cevap ver$|yanitla$|cevapla$|yap$|et$|ol$|goster$|ver$|ekle$|guncelle$|koy$|birak$|tut$|sor$|calistir$|test et$|konus$|hitap et$|de$|acikla$|belirt$|bahset$|at$|commitle$|pushla$|kaydet$|uy$|dikkat et$|emin ol$|tercih et$|sinirla$|kullanma$|yazma$|yapma$|etme$|olma$|gosterme$|verme$|ekleme$|koyma$|birakma$|sorma$|calistirma$|deme$|atma$|dokunma$|degistirme$|silme$|dileme$|kullanin$|yazin$|yapin$|edin$|olsun$|olmasin$|kullanma|yapma|etme|yazma|ekleme|gec$|gecme$|gecmesin$|gecsin$|kullanilsin$|kullanilmasin$|yazilsin$|yazilmasin$|harca$|harcama$|bak$|sil$|silmeden$|cikarma$|isle$|oku$|anlat$|kis$|kisa kes$|*mayin$|*meyin$|*masin$|*mesin$|*alim$|*elim$|haber ver$|formatla$|gruplandir$|sirala$|uyar$|ayir$|yuvarla$|kal$|cagir$|ara$|atla$|olusturma$|kacin$|basma$|sec$|uret$|kir$|duzenle$|*lama$|*leme$|*tirma$|*tirme$|*durme$|*durma$|sabitle|dokunma|kullan|yaz|degistirme|sor|soyle|bekle|haber ver|uyar|sec|kacin|sinirla|kal|alintila|belirt|numarala|basla|bitir|ayir|sifrele|maskele|logla|mockla|yerlestir|koy|al|grupla|dene|hitap et|hitap edin|hatirla|unutma|emin ol|dikkat et|birak|kes|not al|cevap ver|cevapla|sakla|tut|yedekle|yedek al|ekle|silme|push atma|commitleme|tahmin etme|uydurma|uzatma|lutfen|yap|olsun|olmasin|kalsin|gecsin|kullanilsin|yazilsin|*ilmayacak|*ulmayacak|*ilmeyecek|*ilacak|*ilecek|*ini numarala|acikla|isaretle|goster|sayi ver|ver",
        ),
        (
            Negative,
            "degil|yok|hicbir|asla|hic|sakin|olmadan|madan|meden|yerine|kullanma|yapma|etme|yazma|ekleme|olmasin|olmaz|dokunma|degistirme|silme|gecmesin|koyma|gosterme|dileme|kullanmayin|dokunmayin|elleme|ellemeyin|vazgec|istemiyorum|atma|*ilmayacak|*ulmayacak|*ilmeyecek|*madan|*meden|uzatma|birakma|acma|kapatma|uydurma|sorma|gonderme|tekrarlama|*mayin|*meyin|*mayiniz|*meyiniz|olmasin lutfen|kacin$|kacinin$|uzak dur",
        ),
        (
            Modal,
            "gerek|gerekir|gerekiyor|lazim|zorunda|zorunlu|sart|mecburi|olmali|olmamali|kullanilmali|yazilmali|yapilmali|edilmeli|eklenmeli|gitmeli|olsun|olmasin|istiyorum|isterim|bekliyorum|severim|sevmem|sevmiyorum|nefret ederim|gecmemeli|gecmesin|asmamali|asmasin|edilmez|kullanilmaz|yapilmaz|yazilmaz|kullanilir|yazilir|yapilir|rica ediyorum|lutfen|*meli$|*mali$|*melidir$|*malidir$",
        ),
        (
            Limit,
            "en fazla|maksimum|max|maks|azami|en cok|gecmesin|gecme|gecmemeli|asmasin|asma|asmamali|limit|sinir|butce|en az|asgari|minimum|den fazla|dan fazla|den buyuk|dan buyuk|den uzun|dan uzun|den kisa|dan kisa|kadar|altinda|ustunde|fazla|buyuk olmasin|uzun olmasin|*dan uzun|*den uzun|*dan fazla|*den fazla|*dan buyuk|*den buyuk|sadece .. uzerinden|sadece .. icin|sadece .. ile|yalnizca .. icin|yalnizca .. uzerinden|sutun*|karakter*|baska hicbir yerde|baska yerde degil|sen sadece|sen yalnizca|cevap basina|mesaj basina|yeter|yeterli|ustu olmaz|satir max|parti halinde|cumle max",
        ),
        (
            Prefer,
            "tercih ederim|tercih ediyorum|tercihim|tercih ederdim|yegliyorum|yeglerim|tercihen|daha cok severim|tercih ediyoruz|isterim|olsa daha iyi|sevinirim|memnun olurum|iyi olur|daha iyi olur|rica etsem|rica ederim ki|isterdim|onemli|cok onemli|benim icin onemli|israr ediyorum|aliskanlik edin|alis|nefret ederim|nefret ediyorum|bekliyorum|beklerim|bagli kal|sadik kal|umurumda degil|onemli degil sadece|fark etmez|sadece .. onemli|makbule gecer|sinir oluyorum|rahatsiz ediyor|istiyorum ki|*mandansa|*mektense|yerine|sifat degil|oyle yaz|boyle yaz|o sekilde yaz|ona gore yaz|surumunde kal",
        ),
        (
            Scope,
            "bu projede|bu repoda|bu depoda|bu kod tabaninda|kodumuzda|projemizde|bizim kodda|bizim projede|kodda|repoda|benim kodumda|projemde|bizde|bizim burada|biz burada|bu makinede|bu sunucuda|bu bilgisayarda|main e|maine|main branch|master a|prod da|prod a|prodda|proda|canliya|canlida|uretimde|uretim ortam*|production a|production|release branch|ekipte|takimda|bu oturumda|sql de|python da|go da|rust ta|css te|testlerde|loglarda|commit mesajlarinda",
        ),
        (
            We,
            "kullaniyoruz|biz kullaniriz|yaziyoruz|yapiyoruz|kullanmiyoruz|yazmiyoruz|kullanmayiz|commitliyoruz|birbirimize sen|herkes|kimse|tum commitler|tum fonksiyonlar|tum dosyalar|her commit|her fonksiyon|her dosya|her bugfix|her duzeltme|her pr|her test|her degisiklik|fonksiyonlar|commitler|tarihler|commit mesajlari|hicbir pr|hicbir fonksiyon|hicbir komut|degiskenler|yorumlar|testler|yeni kod|kullanilir|yazilir|yapilir|kullanilmaz|^tab|^bosluk|isimleri|mesajlari|^testler|^branchler|dosya adlari|^hatalar|^loglar|^tarihler|^fiyatlar|^importlar|^commitler|branch isimleri|saklanir|saklariz|commit edilmez|biz burada|bizde|squash yapariz|yapariz|calisiriz|kullaniriz|^dosya adlari|^dosya isimleri|^veritabanimiz|^api miz|^sql|^css|^para|^mesajlar|^metinler|^isimler|^adlar|^yeni dosyalar|^yeni|^tutarlar|^fonksiyonlar|^metotlar|^siniflar|^moduller|^migration lar|^sirlar|^parolalar|^anahtarlar|^commit ler|^dallar|^sorgular|^kolonlar|^tablolar|^her|^butun|^tum|metinlerde",
        ),
        (Contrast, ", degil|degil|yerine|degil de|, asla"),
        (
            Manner,
            "cevaplarin|cevaplarinda|cevaplarini|yanitlarin|yanitlarini|turkce cevap|turkce yanit|turkce yaz|turkce konus|ingilizce|almanca|turkce|kisa cumle*|kisa cevap*|kisa yanit*|kisa ve oz|emoji|emojiler|emojisiz|ozur|ozur dileme|ovgu|iltifat|sen diye|siz diye|sen diyebilirsin|senli benli|dogrudan ol|durust ol|kibar ol|net ol|lafi uzatma|madde madde|maddeler halinde|basliklar|kalin yazi|tablo|tablolar|diff|sadece diff|diff i goster|dosyanin tamamini|tum dosyayi|sonunda ozet|ozet gecme|ozetleme|uslup|ton|jargon|sade dil|basit dil|adimla hitap|hitap et|bana .. de|commit mesaj*|adim adim|tek soru|gevezelik|uzun cevap*|uzun yanit*|daha kisa|benimle turkce|benimle ingilizce|benimle konus|bana sen|bana siz|destan yazma|stack trace|bana kim de|kisa versiyon|temelleri|metrik|detaylar sadece|kisa kes|sadede gel|ozet|ozetler|ozet yazma*|giris cumlesi|onsoz|nezaket|sesli dusun|daha az metin|daha cok detay|planlarin|kodun|sorularin|kisaltma|once sonuc|sadece kod|onerilerini|raporlarini|onerilerin|az .. cok|daha az .. daha cok|az konus|tek satirda|tek satir|tek satir halinde|evet hayir|kisa cevaplar|kisa yanitlar",
        ),
        (
            Topic,
            "kisaca|kisa|kisa tut|kisa kes|tek cumlede|tek cumleyle|hizlica|cabuk|ozetle|kisa olsun",
        ),
        (
            Meaning,
            "dedigimde|dersem|deyince|derken|dedigim zaman|diyorsam|yazdigimda|kastediyorum|kastim|demek istedigim|anlamina gelir|anlamina geliyor|her zaman .. demek|demektir|derken hep",
        ),
        (
            Each,
            "her zaman .. dikce|her degistiginde|her defasinda|her seferinde|ne zaman|her commitden once|her committen once|her commit oncesi|yazdigin her sey|yaptigin her sey|yazdigin tum|butun tarihleri|tum tarihleri|tum isimleri|suphede kalirsan|emin degilsen|supheye dusersen|kararsiz kalirsan|sadece .. destekliyoruz|sadece .. kullaniyoruz|yalnizca .. destekliyoruz|her .. once|her .. sonra|tum yeni|her yeni|butun yeni|ekledigin her|yazdigin her|olusturdugun her|degistirdigin her|kullandigin her|yaptigin her|dokundugun her|*den bahsederken|*dan bahsederken|sadece senin|yalnizca senin|ticket basina|basina bir|basina tek|is basina|tam olarak bir|hala gecerli|her degisiklige|her fonksiyona|her dosyaya|her push oncesi|her degisiklikten sonra",
        ),
        (
            Whenever,
            "degistiginde|degistirdiginde|degisince|degistirince|eger bir sey|eger|olursa|gerekirse|ihtiyacin olursa|istersen|lazim olursa|dokunursa|dokunuyorsa|varsa|yoksa|sa bana|se bana|meden once|madan once|once|den sonra|dan sonra|diginde|dikten sonra|diktan sonra|duktan sonra|dukten sonra|tiktan sonra|tikten sonra|durumunda|halinde|bittiginde|bitince|*meden once|*madan once|*diginde|*diginda|*dugunde|*dugunda|*tiginde|*tiginda|*tugunda|*tugunde|*ersen|*arsan|*irsen|*ursan|*dikten sonra|*diktan sonra|dokundugunda|dokununca|ekleyince|eklediginde|yazarken|eklerken|degistirirken|suphede kalirsan|emin degilsen|oncesi|commit oncesi|*ken|*unca|*ince|*inca|her commit oncesi|mumkun oldugunda|mumkunse|yapabiliyorsan|bilmiyorsan|suphen varsa|birden fazla|bir sey olursa|test patlarsa|test kirilirsa|olmadikca|*madikca|*medikce|*dan once|*den once|*dan sonra|*den sonra|her *diginde|her *diginda|disinda",
        ),
        (
            Task,
            "duzelt$|duzeltir misin|ekle$|yaz$|olustur$|degistir$|sil$|kaldir$|acikla$|goster$|cevir$|tasi$|calistir$|bul$|bak$|oku$|ac$|kontrol et$|guncelle$|kur$|uret$|donustur$|uygula$|temizle$|test et$|ozetle$|yap$|anlat$|ver$|soyle$|onar$|devam et$|yardim et$|karsilastir$|incele$|tarif et$|birlestir$|sadelestir$|ayir$|deploy et$|commitle$|pushla$|hazirla$|bitir$|yapistir$|yukselt$|derle$|yeniden adlandir$|sirala$|duzelt|ekle|acikla|calistir|yeniden adlandir|olustur|tasi|kaldir",
        ),
        (
            Purpose,
            "diye bir|diye|sekilde|emin olmak icin|kontrol ekle|kontrolu ekle|icin bir kontrol|kural ekle|kurali ekle|test ekle|saglayan|kontrol eden|neden|niye|nicin",
        ),
        (
            Question,
            "^neden|^niye|^nicin|^nasil|^ne zaman|^nerede|^kim|^hangi|^ne|^kac|mi$|mu$|misin$|musun$|miyim$|muyum$|miyiz$|muyuz$|midir$|mudur$|mi ,|mu ,|misin|miyiz|gerekiyor mu|gerekir mi|degil mi$|var mi$|yoksa|hatirliyor musun|unuttun mu|ne demek$|ne olur$|oyle mi$|dimi$|arasindaki fark",
        ),
        (
            Request,
            "misin|musun|miydin|misiniz|rica etsem|mumkun mu|misin lutfen|misin$|musun$",
        ),
        (
            Narration,
            "ben hep|ben hic|ben asla|hep unutuyorum|hic calismadi|hic calismiyor|hic donmuyor|hic bitmiyor|hic gormedim|asla bulamazdim|asla bulamaz|asla tamamlanmadi|hep ayni|ayni hata|her zamanki gibi|her zaman oldugu gibi|hep boyle|oldum olasi|olmali galiba|sorunu olmali|olmali bu|kesin .. olmali|herhalde|galiba|muhtemelen|dun|gecen hafta|gecen yil|bilmiyorum|anlamiyorum|anlamadim|fikrim yok|onemli degil|sorun degil|sorun yok|calismiyor|degildi|bu degil|o degil|henuz degil|simdi degil|neredeyse hic|istemistim|sanmistim|tesekkurler|sagol|yazmis|yapmis|olmus|bulamazdim|goremedim|yine ayni|hep oluyor|her zaman boyle|hep oyle|refactor dan once|refactordan once|dan once bunu hic|onceden|o zamanlar|hep bu sorun|hic istemedim|istemedim|hic test|hic .. *madi|hic .. *medi|*lemedik|*lamadik|*medik|*madik|asla olmamaliydi|olmamaliydi|haha|lol|su ana kadar|dune kadar|belki|bir tane var|kaybetmek istemiyorum|sevmedim|begenmedim|merge etmemeliydik|*memeliydik|*mamaliydik|*meliydik|*maliydik|kimse bana|kimse bilmiyor|kimse soylemedi|goremiyorum|bulamiyorum|yok henuz|henuz test yok|saniyordum|saniyorduk|diyip duruyor|diyor|simdi geciyor|geciyor|yesil|bir sey olmuyor|olmuyor|hic soylemedim|goruyorum|hep tab|hep guzel|her zaman guzel|sadece .. oluyor|sadece .. olunca|hakliydin|haklisin|kayboldu|bozuldu|gecen projede|onceki projede|*yorduk|*rdik|*rdik|*mazdik|*mezdik|yanlis|iyiydi|gerek yok$|ihtiyacim yok|ihtiyac yok|yillar once|aylar once|kaldi harika|sadece .. kaldi|unuttun|*mek istemiyorum|*mak istemiyorum|nedense|benim hatam|hep .. *iyor|hep .. *uyor|her actigimda|her girdigimde|her seferinde cokuyor|her bastigimda|hic dosya|lazim yaptin|surmemeli ama|olusmamis|her tikladigimda|tikladigimda|tiklayinca|ne zaman tiklasam|basinca|acinca|ama degil|ama olmuyor|ama yapmiyor|ama calismiyor",
        ),
        (
            Trouble,
            "hata|hatasi|hatalar|basarisiz|cokuyor|coktu|bozuk|bozuldu|istisna|timeout|zaman asimi|yavas|takiliyor|kirmizi|calismiyor|problem|garip|tuhaf|patliyor|patladi|kiriliyor|donmuyor",
        ),
        (
            Report,
            "dokumanda|dokumantasyon*|belgede|linter|linter diyor|derleyici|ticket ta|ticketta|patron|patronum|mudur|diyor ki|diyor|diyorlar|demis|dedi|yazmis|yaziyor|soylemis|soyledi|guya|gore|readme de|git diyor|mesaj diyor|logda|stackoverflow|test diyor|arkadas|is arkadasim|sozde|ona .. dedim|dedim$|soyledim$|ona soyledim|demisti|soylemisti|demislerdi|yazdi|avukat|hukuk|musteri yazdi|destek|israr ediyor|iddia ediyor|sartnameden|tasarim dokumanindan|design doc|dokumandan|wikiden|tickettan|gereksinimlerden|herkese soyluyor",
        ),
        (
            Suppose,
            "ya hic|ya eger|diyelim ki|diyelim|varsayalim|farz edelim|farzet|hayal et|ne olurdu|ne olur|teorik olarak|olsaydi|olsa ne|kapatmazsak|yapmazsak|etmezsek",
        ),
        (
            Idiom,
            "^bos ver|^bosver|^onemli degil|^merak etme|^dert etme|^takma|^sorun degil|^sorun yok|^bir sey degil|^rica ederim|^hayir ,|^henuz degil|^simdi degil|^yok ,|^yok bir sey|^unut gitsin|^sakin ol|^acele etme|^hic sorma|^hatirlamiyorum|^bilmiyorum|^hatirliyor musun|^sanmiyorum|^fikrim yok|^pardon|^ozur dilerim|^kusura bakma|^benim hatam|^problem yok|^fena degil|^pes etme|^durma|^ikinci testi degil|^o degil|^bu degil|^hic gormedim|^birak ,|^birak ben|arasindaki fark|simdilik unut",
        ),
        (
            Now,
            "simdi|simdilik|su an|su anda|henuz|bu seferlik|bu sefer|bugun|once bu|bu dosyada|bu fonksiyonda|bu pr da|bu pr icin|bu committe|sadece burada|sadece bu sefer|daha|gecici|bu kez|su anlik|daha degil|hala|sadece demo|gecici olarak|bir dakika|bir saniye|bu defa|bir kereligine|hala lazim|hala gerekli|lazim olacak|daha lazim",
        ),
        (Then, "^o zaman|^oyleyse|^evetse|^o halde"),
        (
            Aside,
            "bu arada|ha bu arada|bir de|birde|ayrica|ve ayrica|ustelik|bunun yaninda|hazir elin|yeri gelmisken|hatta|baska bir sey|bir sey daha|son olarak|ve bundan sonra|ve genel olarak|ve sakin|ve asla|ve her zaman|ama asla|ama her zaman|btw|not olarak|ve lutfen|ek olarak",
        ),
        (And, "ve|ama|fakat"),
        (
            Filler,
            "lutfen|tamam|ok|peki|ee|yani|ve|ama|ah|hey|selam|merhaba|evet|hayir|tesekkurler|sagol|sadece|de|da|bak|hm|simdi|tekrar|dedigim gibi|iste|ya|tamamdir|ha|tekrar ediyorum|tekrarliyorum|bir sey daha|bir de|son bir sey|bu arada|ayrica|hatirlatma|her zamanki gibi soyluyorum",
        ),
        (
            Tag,
            "tamam|ok|olur|evet|anlastik|anladin|peki|degil|lutfen|tamam mi|anlastik mi|olur mu",
        ),
        (
            Once,
            "bitince|bittiginde haber|isin bitince|satirdaki|satir 3|son 20|son satir*|ilk|ikinci|ikincisi|diger|oteki|bu yaklasim*|bu fikir*|bu dosya|dosyadaki|dosyadan|yarin|oyle yapma|boyle yapma|boyle birak|bu hata*|bu bug|bu test|yazim hata*|a secenegi|b secenegi|noktali virgul*|eski|yeni fonksiyon*|readme den|tekrar dene|buradaki|^burada .. kullan|buraya|dosyanin tamami*|ikinci hata*|baslik satiri*|calisirsa|olursa push*|bu fonksiyon*|bu sinif*|yanlis branch|cevabi|o branch*|bunun icin|olunca soyle|olunca haber|bitince soyle|adimlari|kontrol ekle|kontrolu ekle|bunu|sunu|onu|burayi|orayi|bu dali|bu dosyayi|beklet|bekle biraz|biraz bekle|dur bi|once okumak|once bakayim|once bakmak|burada kullanma|bunu burada|bu sefer|bu defa|bu seferlik|bir kereligine|bu kez",
        ),
        (
            Style,
            "kebab case|snake case|camelcase|kucuk harf*|buyuk harf*|emir kipi*|utc|olarak saklanir|saklanir|saklariz|tutulur|yaninda durur|yaninda|tek tirnak|bosluk|tab|alfabetik|ingilizce|turkce|adlandirilir|formatinda|kucuk|atomik|iso formatinda|iso format*|siz kalmali|dosya basina bir|kucuk harf|tireli|once testler|gider|gitmeli|konur|iso|kurus cinsinden|buyuk harf|emir kipi|simdiki zaman|sabit surum|siz diye",
        ),
        (
            Change,
            "sil$|kaldir$|cikar$|degistir$|tasi$|cevir$|duzelt$|kopyala$|geri al$|yeniden adlandir$",
        ),
        (
            Reallow,
            "yine .. *abilirsin|yine .. *ebilirsin|tekrar .. *abilirsin|tekrar .. *ebilirsin|yeniden .. *abilirsin|yeniden .. *ebilirsin|artik .. *abilirsin|artik .. *ebilirsin|yine serbest|tekrar serbest|yeniden serbest|yine olur|artik .. bilirsin|artik .. abilirsin|artik serbest|artik olur|simdi olur|yeniden .. bilirsin|tekrar .. bilirsin|artik izin var|artik sorun degil|*abilirsin artik|*ebilirsin artik|artik kullanabilirsin|artik yapabilirsin|artik dokunabilirsin|tekrar olur|aslinda olur",
        ),
        (
            RuleName,
            "kural|kurali|kuralini|kurallar|sey|sinir|yasak|yasagi|dedigim|soyledigim|artik|yine|tekrar|yeniden|hakkinda|konusunda|gerek|yok|kullanabilirsin",
        ),
        (
            Duty,
            "degistirilmemeli|*acma$|*ekleme$|*asma$|*gecme$|*yazma$|yazilir$|konur$|gider$|eklenir$|yapilir$",
        ),
        (
            Definite,
            "^bu|^su|^o|^ben|^sen|^biz|^onlar|^benim|^burada|^orada",
        ),
        (
            Preface,
            "^tekrar ediyorum|^tekrar soyluyorum|^tekrarliyorum|^bir sey daha|^son bir sey|^hatirlatma|^kural|^bir de :",
        ),
        (
            Cease,
            "*mayi birak|*meyi birak|birakir misin|keser misin|vazgecer misin",
        ),
        (
            Head,
            "bundan sonrasi icin|gelecek icin|ileride|sonrasi icin|iki sey|2 sey|uc sey|3 sey|birkac sey|iki kural|2 kural|uc kural|birkac kural|kurallar|kurallarim|kurallarimiz|bundan sonra|bundan boyle|konvansiyonlar|ilkeler|tercihlerim|hatirlatma|nasil calisiyoruz",
        ),
        (
            Paper,
            "mail|e posta|eposta|email|readme ye|readme|wiki|dokumana|dokumantasyona|dokuman|politika|ticket|changelog|duyuru|prompt|^commit mesaji :|^mesaj :|^baslik :|^konu :|^gereksinim :|mektup|makale|yazi|mesaj|slack|slayt|afis|sablon|aciklama|kilavuz|bolum|cumle|cevir|metin|not",
        ),
        (
            Product,
            "^kullanicilar|^musteriler|kullanicilar .. meli|kullanicilar .. mali|kullanici .. meli|kullanici .. mali|bot asla|bot her|buton|dugme|sayfa her zaman|form|alan .. olmali|fonksiyon .. meli|fonksiyon .. mali|metot|endpoint .. meli|yanit .. meli|uygulama .. meli|api .. meli|sunucu .. meli|deger .. olmali|parola .. olmali|liste .. olmali|menu|pencere|toplam .. olmali|sonuc .. olmali|sorgu .. olmali|bilesen|adminler|ziyaretciler|bu asla|bu hicbir zaman|surmemeli|kontrolu ekle|kontrol ekle|kontrolunu ekle|dogrulama ekle|dogrulamayi ekle|filtre ekle|filtreyi ekle|filtreyi yaz|o filtreyi|sepet*|maskele|uygulama .. *memeli|uygulama .. *mamali|sayfa .. *memeli|sayfa .. *mamali|buton .. *memeli|buton .. *mamali|sistem .. *memeli|sistem .. *mamali|kullanici .. *memeli|kullanici .. *mamali",
        ),
        (
            Formerly,
            "eski sirkette|eski iste|eski ekipte|eski projede|eski sistemde|onceki sirkette|onceki iste|onceki projede|eskiden|o zamanlar|gerekiyordu|gerekirdi|zorundaydik|zorundaydi|zorundaydim|yasakti|yasakti hep|dokunamazdi|yapamazdi|edemezdi|izin yoktu|kural vardi|universitede|*amazdi|*emezdi",
        ),
        (
            Generic,
            "bir|her|butun|tum|herhangi|bir sey|hicbir|hepsi|birkac|tek",
        ),
        (
            Reason,
            "cunku|yoksa|zira|okuyorum|okurum|diff i|bizde|oldugu icin|icin",
        ),
        (
            Wonder,
            "garip|tuhaf|ilginc|acayip|ama degil|ama olmuyor|ama yapmiyor|hata bu|bug bu|sorun bu",
        ),
        (
            Relay,
            "musteriye soyle|ona soyle|onlara soyle|ekibe soyle|musteriye yaz|ona hatirlat|musteri istiyor|patron istiyor|*ye soyle|*ya soyle",
        ),
        (
            Drop,
            "unut|bos ver|bosver|iptal et|kaldir|sil|gormezden gel|vazgectim|vazgec|geri aliyorum|yok say|at gitsin|iptal|takma|kaldiriyorum|kaldirdim|iptal ediyorum",
        ),
        (
            RuleNoun,
            "kural|kurali|kurallari|kuralini|limit|limiti|sinir|siniri|yasak|yasagi|kisitlama|kisitlamayi|sart|sarti|talimat|talimati|butce|zorunluluk|sart*|kosul*|kural*|sinir*",
        ),
        (
            Over,
            "artik gecerli degil|gecerli degil|kalkti|kaldirildi|iptal|iptal edildi|bitti|gecersiz|artik yok|artik gerekmiyor|artik gerek yok|rafa kalkti|sona erdi|artik lazim degil",
        ),
        (Halt, "birak|artik .. birak|yeter"),
        (
            Withdraw,
            "hakkinda soyledigimi unut|hakkinda soylediklerimi unut|hakkinda dedigimi unut|ile ilgili soyledigimi unut|ile ilgili soylediklerimi unut|konusunda soyledigimi unut|konusunda soylediklerimi unut|soyledigimi unut$|soylediklerimi unut$|dedigimi unut$|dediklerimi unut$|kuralini unut$|kurali unut$|kuralini iptal|kurali iptal|kurali kaldir|kuralini kaldir|kurali sil|kuralini sil|kurali bosver|kuralini bosver|kurali gormezden gel|kuralini gormezden gel|kurali .. gecersiz|kurali artik gecerli degil|kural artik gecerli degil|kurali gecerli degil|kurali kalkti|kural kalkti|kuralindan vazgectim|kuraldan vazgectim|sozumu geri aliyorum|geri aliyorum|soyledigim artik gecerli degil|hakkindaki kurali unut|hakkindaki kurali iptal|uymana gerek yok|uymak zorunda degilsin|artik gecerli degil|gecerli degil artik|artik gerek yok|artik .. gerek yok|artik .. zorunda degilsin|artik .. lazim degil|artik .. sart degil|iptal ediyorum|kuralindan vazgec*|konusunda fikrimi degistirdim|hakkinda fikrimi degistirdim|isini unut|olayini unut|meselesini unut|kuralini kaldiriyorum|kuralini boz|gecersiz artik|artik gecersiz|sinirini unut|sinirini kaldir|limitini unut|yasagini unut|yasagini kaldir|sinirini kaldiriyorum|kuralini birakabilirsin|artik zorunda degilsin|artik sormana gerek|fikrimi degistirdim|artik lazim degil|*mana gerek kalmadi|*mene gerek kalmadi|birakabilirsin|hakkinda yanilmisim|konusunda yanilmisim|yanilmisim|unut gitsin|kaldiriyorum|sartini kaldiriyorum|geri cekiyorum|vazgectim",
        ),
        (
            Touch,
            "dokunma|dokunmayin|dokunmayalim|dokunulmasin|dokunulmaz|dokunulmayacak|elleme|ellemeyin|degistirme|degistirmeyin|degistirilmesin|degistirilmeyecek|silme|silmeyin|silinmesin|silinmeyecek|duzenleme|duzenlemeyin|duzenlenmesin|kurcalama|bulasma|uzak dur|elini surme|ustune yazma|uzerine yazma|tasima|adini degistirme|oldugu gibi kal*|oyle kal*|degismeyecek|formatlama$|bicimlendirme$|yeniden adlandirma$",
        ),
        (
            Place,
            "klasor*|dizin*|dosya*|tablo*|modul*|branch*|dal*|paket*|sema*|veritaban*|arayuz*|config*|ayar*|yapilandirma*|pipeline*|migration*|fixture*|snapshot*|sunucu*|kume*|env|vendor*|infra*|repo*|depo*|kutuphanes*|legacy|prod*|uretim*|staging*|ceviri*|uretilen|senin olmayan",
        ),
        (Solely, "sadece|yalnizca|yalniz"),
    ],
};

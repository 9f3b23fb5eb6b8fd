//! Polish.

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
    is_verb_last: false,
    common: "i|w|z|na|do|nie|sie|to|jest|sa|ja|ty|on|ona|my|wy|oni|mnie|mi|ciebie|ci|moj|moja|twoj|nasz|nasze|ten|ta|te|tego|co|czy|jak|jesli|gdy|kiedy|dlaczego|tu|tutaj|teraz|juz|tylko|tez|albo|lub|oraz|ale|bez|dla|od|po|przez|przed|ze|zeby|aby|zawsze|nigdy|wszystko|o|u|bo|za|pod|by|byl|bylo",
    hasty: "plz=prosze|pls=prosze|prosz=prosze|nigyd=nigdy|nigdi=nigdy|zasze=zawsze|wszytko=wszystko|wg=wedlug|np=na przyklad|tzn=to znaczy|narazie=na razie|napewno=na pewno|spoko=dobrze|dzieki=dziekuje|pzdr=pozdrawiam",
    clitics: "",
    cues: &[
        (
            Lasting,
            "od teraz|od tej pory|od dzis|od dzisiaj|odtad|na przyszlosc|w przyszlosci|z reguly|jako zasada|jako zasade|ogolna zasada|zasada jest|zasada :|taka zasada|z zasady|w tym projekcie zawsze|dla tego projektu|w calym projekcie|dla calego projektu|przez cala sesje|w tej sesji|w zadnym wypadku|pod zadnym pozorem|w zadnym razie|w zadnych okolicznosciach|nigdy wiecej|niezaleznie od|bez wzgledu na|cokolwiek|bez wyjatku|bez wyjatkow|do odwolania|dopoki nie powiem|dopoki ci nie powiem|chyba ze powiem|chyba ze ci powiem|o ile nie powiem|raz na zawsze|we wszystkich odpowiedziach|w odpowiedziach|w kazdej odpowiedzi|w swoich odpowiedziach|zgodnie z konwencja|nasza konwencja|pozniej tez|takze pozniej|ani centa wiecej|ani grosza wiecej|na stale|zasadniczo|to obowiazuje|obowiazuje zawsze|domyslnie zawsze|zrodlem prawdy|zrodlo prawdy|jest wiazacy|jest wiazace|wyrob sobie nawyk|przyzwyczaj sie|w tym czacie|chyba ze poprosze|chyba ze|dopoki nie poprosze|nastepnym razem|cokolwiek sie stanie|co by sie nie dzialo|tylko jak zapytam|tylko gdy zapytam|tylko jesli zapytam|ma pozostac|maja pozostac|musi pozostac|ma zostac|do konca sesji|do konca|cokolwiek robisz|na zawsze|dotyczy kazdego|dotyczy wszystkich|w calym|w calej|taka jest zasada|zasada jest taka|tak robimy|u nas tak|juz tylko|upewnij sie zawsze|zawsze upewnij sie|upewniaj sie|dbaj zawsze|pilnuj zeby zawsze|pilnuj zawsze|upewnij sie ze zawsze",
        ),
        (
            Generally,
            "ogolnie|generalnie|zazwyczaj|domyslnie|wszedzie|nigdzie|kazdy|kazda|kazde|kazdego|kazdej|kazdym|wszystkie|wszystkich|jesli to mozliwe|w miare mozliwosci|o ile to mozliwe|na sesje|na jedna sesje|na dzien|dziennie|na tydzien|na miesiac|na commit|na plik|na uruchomienie|za kazdym razem|konsekwentnie|juz wiecej|wiecej|jesli nie trzeba|jesli to nie konieczne|o ile nie trzeba|chyba ze trzeba|gdzie sie da|jesli sie da|o ile mozliwe|wszystko w|wszystko pod",
        ),
        (
            Absolute,
            "zawsze|nigdy|zaden|zadna|zadne|zadnego|zadnej|zadnych|nikt|nikomu|wylacznie|ani razu|stale|ciagle|bezwzglednie|absolutnie|w ogole",
        ),
        (
            Remember,
            "pamietaj|pamietaj ze|pamietaj o|zapamietaj|zapamietaj ze|miej na uwadze|wez pod uwage|zanotuj|zapisz sobie|notatka :|uwaga :|nie zapomnij|nie zapominaj|dla informacji|dla twojej informacji|na pozniej|na przyszlosc :|wiedz ze|zebys wiedzial|musisz wiedziec|powinienes wiedziec|warto wiedziec|wazne :|fyi|przypominam|przypomnienie :|miej w pamieci|regula :|zasada :|info :|przyjmij ze|przyjmij do wiadomosci|zapamietaj to|miej to na uwadze",
        ),
        (
            AskFirst,
            "zapytaj mnie|pytaj mnie|spytaj mnie|najpierw zapytaj|najpierw pytaj|najpierw spytaj|zapytaj najpierw|pytaj najpierw|pytasz mnie|zapytaj zanim|spytaj zanim|pytaj zanim|pytaj przed|zapytaj przed|spytaj przed|uzgodnij .. ze mna|uzgodnij to ze mna|uzgadniaj|skonsultuj|skonsultuj ze mna|konsultuj ze mna|ustal ze mna|ustal to ze mna|porozmawiaj ze mna|daj mi znac przed|daj mi znac zanim|daj mi najpierw|uprzedz mnie|ostrzez mnie|powiedz mi najpierw|powiedz mi zanim|moja zgoda|mojej zgody|moja zgode|mojego ok|moje ok|moja akceptacja|mojej akceptacji|moja akceptacje|moje potwierdzenie|mojego potwierdzenia|moje pozwolenie|mojego pozwolenia|bez mojej|bez mojego|zaczekaj na moje|zaczekaj na moja|czekaj na moje|czekaj na moja|poczekaj az|czekaj az|dopoki nie potwierdze|az potwierdze|pokaz mi najpierw|najpierw pokaz|pros o zgode|popros o zgode|przeze mnie|potwierdz ze mna|potwierdzaj ze mna|ze mna skonsultuj|pogadaj ze mna|pogadac ze mna|uzgadniasz|uzgadniamy|omow ze mna|omow to ze mna|najpierw .. ze mna|daj znac zanim|pytasz|zanim .. zapytaj|zanim .. , zapytaj|zanim .. pytaj|przed .. zapytaj|zadzwon do mnie|najpierw do mnie zadzwon|w razie watpliwosci .. pytaj|w razie watpliwosci pytaj|jak nie wiesz .. pytaj|spytaj|wymaga mojej|wymagaja mojej|wymaga mojego|potrzebuje mojej|powiedz mi od razu|zanim nie zobacze|zanim zobacze|dopoki nie zobacze|poki nie zobacze|az zobacze|chce zobaczyc .. zanim|chce zobaczyc zanim|chce najpierw zobaczyc|pokaz mi .. zanim|uprzedz|pytaj jesli|pytaj gdy|zapytaj jesli|zatrzymaj sie i zapytaj|stan i zapytaj|przerwij i zapytaj|bez mojej zgody|bez zgody|bez mojego ok|bez pytania mnie|bez pytania|bez uzgodnienia|bez konsultacji|daj znac|nie zgaduj|nie zmyslaj|nie wymyslaj|nie zakladaj|jak powiem|jak poprosze|gdy powiem|jesli powiem|kiedy powiem|wyraznie powiem|tylko jak|zielone swiatlo|daj mi wybrac|ja decyduje|ja wybieram|to powiedz|zapytal dwa|wymaga zgody|zanim powiem|dopoki nie powiem|zanim zatwierdze|dopoki nie zatwierdze|po mojej zgodzie|dopiero po moim|nie jestes pewien|nie jestes pewny|nie masz pewnosci|w razie watpliwosci|jak nie wiesz|jesli nie wiesz",
        ),
        (
            Allowed,
            "mozesz .. bez|bez pytania|bez pytania mnie|bez pytania o|nie musisz pytac|nie musisz mnie pytac|nie trzeba pytac|nie pytaj|nie potrzebujesz zgody|kiedy chcesz|kiedy zechcesz|ile chcesz|tak czesto jak|masz zgode|masz pozwolenie|masz moja zgode|masz wolna reke|wolna reka|smialo|wolno ci|jest dozwolone|bez mojej zgody mozesz|nie ma potrzeby pytac|mozesz smialo|swobodnie|mozesz .. ale nie|mozesz .. ale nigdy|mozesz .. ale ich nie|sa ok do|sa ok dla|bez mojej zgody|nie potrzebujesz mojej|mozesz bez|jak chcesz|wedle uznania",
        ),
        (
            Forbidden,
            "zabronione|zabroniony|zabroniona|zabrania sie|zakazane|zakazany|zakaz|niedozwolone|nie wolno|nie wolno ci|powstrzymaj sie|nawet nie mysl|nie waz sie|nie chce widziec|nie chce zebys|nie chce juz|nigdy nie chce|lapy precz|rece precz|trzymaj sie z dala|z dala od|tabu|wykluczone|zostaw .. w spokoju|nie masz czego szukac|wolalbym zebys nie|wolalabym zebys nie|wole zebys nie|wolalbym , zebys nie|nie chce , zebys|nie zycze sobie|chcialbym zebys nie|prosilbym zebys nie|prosilbym zebys .. nie|prosilbym , zebys .. nie|prosilabym , zebys .. nie|wdzieczny gdybys nie|przestan|skoncz z|dosc|dosc tych|koniec z|nie rob tego wiecej|nie rob tak wiecej|wiecej tego nie|nietykalny|nietykalna|nietykalne|precz od|nie ruszaj nigdy|nie dla ciebie|nie twoja sprawa|nie chce .. zebys|naprawde nie chce zebys|naprawde nie chce , zebys|sie nie rusza|sie nie zmienia|nie ruszamy|nie zmieniamy|sie nie uzywa|skoncz juz z|nie proponuj|nie .. na wlasna reke|nigdy .. na wlasna reke|nie .. samowolnie|nie znosze|nie cierpie|nie wchodz|przestancie|oszczedz mi|oszczedz sobie|daruj sobie|rece przy sobie|wara|wara od|nie wchodzi w gre|ani mi sie waz|pod zadnym pozorem|nie chce zeby|nie chce zadnych|nie chce nowych|robie ja|puszczam ja|odpalam ja|ty nie|tylko ja|bez .. nie ma|zadnego .. bez|nie ma .. bez|jest swiety|sa swiete|jest poufne|sa poufne|nie twoj|nie twoja|nie twoje|mowilem zebys nie|mowilam zebys nie|mowilem ci zebys nie|prosilem zebys nie|prosilam zebys nie|mowilem nie|nie chce wiecej",
        ),
        (
            Order,
            "^uzywaj|^uzyj zawsze|^pisz|^odpowiadaj|^odpisuj|^trzymaj|^trzymaj sie|^zachowuj|^zachowaj|^przestrzegaj|^stosuj|^preferuj|^upewnij|^upewniaj|^dbaj|^zadbaj|^pilnuj|^dawaj|^pokazuj|^pokaz|^zostaw|^zostawiaj|^ogranicz|^ograniczaj|^badz|^mow|^zwracaj|^zwracaj sie|^nazywaj|^komentuj|^dokumentuj|^testuj|^uruchamiaj|^sprawdzaj|^dodawaj|^wspominaj|^cytuj|^wyjasniaj|^podpisuj|^formatuj|^wydawaj|^unikaj|^pytaj|^tylko|^rob|^aktualizuj|^commituj|^pushuj|^wdrazaj|^traktuj|^pomijaj|^zaczynaj|^koncz|^bez|^bierz|^wstawiaj|^umieszczaj|^czytaj|^zapisuj|^numeruj|^prosze|daj znac|^daj|^grupuj|^sortuj|^zaokraglaj|^zostan|^nie rob|^nie uzywaj|^nie ruszaj|^nie dotykaj|^ostrzegaj|^rozmawiaj|^wysylaj|^uruchom|^mowmy|^informuj|^uprzedzaj|^dziel|uruchom|formatuj|^nie tworz|uruchamiaj|pomijaj|wybierz|lam|^lam|^wybierz|wygeneruj|^przypinaj|^przypnij|^przechodz|^robcie|^czekaj|^zaczekaj|^zapytaj|^uprzedz|^powiedz|^wybieraj|^wymieniaj|^podawaj|^podaj|^oddzielaj|^szyfruj|^maskuj|^loguj|^mockuj|^probuj|^oszczedz|^daruj|^pamietaj|^zapamietaj|^przestan|^skoncz|^notuj|^uzyj|^trzeba|^nalezy|^kieruj|^zaznaczaj|^liczby",
        ),
        (
            Negative,
            "nie|nigdy|bez|ani|nic|zaden|zadna|zadne|zadnych|zadnego|nikt|niech nie|zamiast|nie ruszaj|nie dotykaj|nie tykaj|unikaj|unikac|przestan|przestancie|skoncz z|^unikaj",
        ),
        (
            Modal,
            "musi|musza|musisz|powinien|powinna|powinno|powinny|powinnismy|powinienes|trzeba|nalezy|ma byc|maja byc|ma miec|maja miec|masz|obowiazkowo|obowiazkowe|obowiazkowy|wymagane|konieczne|chce|chcialbym|chcialabym|oczekuje|wymagam|lubie|nie lubie|nie znosze|nienawidze|wolno|mozna|nie mozna|moze|moga|nie moze|nie moga|idzie do|ida do|trafia do|trafiaja do|piszemy|zapisujemy|niech|prosze|uzywasz|piszesz|robisz|dajesz|pytasz",
        ),
        (
            Limit,
            "max|maks|maksymalnie|maksimum|najwyzej|co najwyzej|nie wiecej niz|wiecej niz|mniej niz|limit|budzet|pulap|minimum|minimalnie|co najmniej|przynajmniej|nie dluzej niz|dluzej niz|dluzszy niz|dluzsze niz|dluzsza niz|wiekszy niz|wieksze niz|wieksza niz|mniejszy niz|krotszy niz|krotsze niz|powyzej|ponizej|ponad|przekraczac|przekracza|przekraczaj|przekroczyc|tylko przez|tylko do|tylko dla|tylko z|tylko za pomoca|wylacznie przez|wylacznie do|kolumn*|znakow|nigdzie indziej|i nigdzie|ty tylko edytuj|ty tylko|do 1*|do 2*|do 3*|do 4*|do 5*|do 6*|do 7*|do 8*|do 9*|na odpowiedz|na wiadomosc|wystarczy|wystarcza|nic powyzej|linii max|max linii|gora|w paczkach po|zdan max",
        ),
        (
            Prefer,
            "wole|wolalbym|wolalabym|wole zebys|preferuje|preferujemy|najchetniej|chetniej|moje preferencje|raczej uzywaj|lepiej uzywaj|wolimy|bylbym wdzieczny|bylabym wdzieczna|byloby lepiej|byloby dobrze|chcialbym zebys|chcialabym zebys|wolalbym zebys|milo by bylo|jesli mozesz|wazne zebys|wazne , zebys|wazne zeby|jest wazne zeby|zalezy mi|nalegam|wyrob sobie nawyk|przyzwyczaj sie|nienawidze|nie znosze|oczekuje|oczekuje ze|prosilbym|prosilabym|prosilbym zebys|prosilbym , zebys|trzymaj sie|pozostan przy|ogranicz sie do|nie obchodzi mnie|mnie nie obchodzi|nie interesuje mnie|licza sie tylko|liczy sie tylko|docenilbym|docenilabym|bylbym wdzieczny gdybys|cieszylbym sie|lubie gdy|nie cierpie|denerwuje mnie|wkurza mnie|chcialbym|chce zebys|lepiej .. niz|zamiast|a nie przymiotniki|pisz tak|pisz w ten sposob|zostan na|zostan przy|^rob tak|wiec rob tak",
        ),
        (
            Scope,
            "w tym projekcie|w tym repo|w tym repozytorium|w tej bazie kodu|w naszym kodzie|w naszym projekcie|nasz kod|nasz projekt|w kodzie|w repo|w moim kodzie|w moim projekcie|u nas|tu u nas|na tej maszynie|na tym serwerze|na tym komputerze|na main|na maina|do maina|na master|na produkcji|na produkcje|na prod|produkcji|branch release|galaz release|w zespole|w naszym zespole|w tej sesji|w sql|w python|w go|w rust|w typescript|w javascript|w css|w html|w yaml|w json|w bash|w java|w kotlin|w swift|w markdown|w latex|w terraform|w docker",
        ),
        (
            We,
            "uzywamy|my uzywamy|wcinamy|wcina sie|piszemy|robimy|nie piszemy|nie uzywamy|nie robimy|commitujemy|jestesmy na ty|wszyscy|wszystkie commity|wszystkie funkcje|wszystkie pliki|kazdy commit|kazda funkcja|kazdy plik|kazdy bugfix|kazdy fix|kazda poprawka|kazdy pr|kazdy test|kazda zmiana|konwencja|funkcje|commity|daty|komunikaty commitow|opisy commitow|zaden pr|zadna funkcja|zadne polecenie|zmienne|komentarze|testy|nowy kod|stosuje sie|uzywa sie|pisze sie|^tabulatory|^taby|^spacje|^nazwy|^komunikaty|^testy|^galezie|^pliki|^bledy|^logi|^daty|^ceny|^kwoty|^importy|^commity|^pry|trzymamy|przechowujemy|zapisujemy|nikt nie|^komentarze|nigdy nie commitujemy|nigdy nie trafia|nigdy nie trafiaja|zawsze trafia|zawsze ida|u nas robimy|u nas sie|robimy squash|mergujemy|pracujemy|^nasza|^nasz|^nasze|^pieniadze|^sql|^css|^teksty|^nowe pliki|^nowe|^funkcje|^metody|^klasy|^moduly|^migracje|^sekrety|^hasla|^klucze|^branche|^zapytania|^kolumny|^tabele|^kazdy|^kazda|^kazde|^wszystkie|^wszystko|w tekstach|we wszystkich",
        ),
        (
            Contrast,
            ", nie|a nie|i nie|, nigdy|zamiast|ale nie|, bez|nie spacje|nie taby|nie w|niz|anizeli",
        ),
        (
            Manner,
            "twoje odpowiedzi|twoja odpowiedz|swoje odpowiedzi|odpowiadaj po|odpowiadaj|odpowiedzi po|pisz po|mow po|po polsku|po angielsku|po niemiecku|po francusku|krotkie odpowiedzi|krotkie zdania|krotkimi zdaniami|krotkich zdan|krotko i|emoji|emotikon|emotek|przepraszaj|przepraszania|przeprosin|przepraszac|pochlebstw|komplementow|na ty|na pan|po imieniu|badz bezposredni|badz szczery|badz zwiezly|badz mily|bez owijania|listy punktowane|punktach|naglowki|naglowkow|pogrubien|tabel|tabelek|diffy|diff|diffow|calych plikow|cale pliki|caly plik|tylko diff|tylko diffy|podsumowania na koncu|podsumowan|podsumowania|ton|zargon|prosty jezyk|prostym jezykiem|zwracaj sie|mow mi|nazywaj mnie|opisy commitow|wiadomosci commitow|krok po kroku|jedno pytanie|lania wody|gadania|wyjasnien|wyjasnienia|dlugich odpowiedzi|dlugie odpowiedzi|krocej|krotsze|rozmawiaj ze mna|mow do mnie|rozmawiaj po|elaborat*|stack trace|traktuj mnie|krotka wersja|podstawy|metryczne|szczegoly tylko|do rzeczy|prosto do rzeczy|konkretnie|zwiezle|krotko|wstepow|wstepu|wstep|podsumowanie|uprzejmosci|prozy|mysl na glos|mniej tekstu|wiecej szczegolow|twoje plany|twoj kod|twoje pytania|skrotow|najpierw wynik|sam kod|sam diff|per pan|formy pan|twoje|twoich|swoje|propozycje|mniej .. wiecej|w jednej linii|w jednej linijce|jedna linia|tak lub nie|tak albo nie",
        ),
        (
            Topic,
            "krotko|zwiezle|w skrocie|w jednym zdaniu|szybko|skrotowo|zwięzle",
        ),
        (
            Meaning,
            "jak mowie|kiedy mowie|gdy mowie|jesli mowie|jak pisze|kiedy pisze|zawsze chodzi o|chodzi mi o|mam na mysli|to zawsze|oznacza zawsze|zawsze oznacza|znaczy zawsze|odnosi sie do|to skrot od",
        ),
        (
            Each,
            "za kazdym razem gdy|za kazdym razem kiedy|za kazdym razem jak|ilekroc|zawsze gdy|zawsze kiedy|zawsze jak|przed kazdym|przed kazda|po kazdym|po kazdej|przy kazdym|przy kazdej|do kazdego|do kazdej|wszystko co piszesz|wszystko co robisz|caly kod ktory|chce wszystkie|wszystkie daty|wszystkie nazwy|wszystkie komunikaty|w razie watpliwosci|jesli masz watpliwosci|w razie wahania|gdy nie wiesz|wspieramy tylko|uzywamy tylko|obslugujemy tylko|akceptujemy tylko|do wszystkich nowych|dla wszystkich nowych|do kazdego nowego|dla kazdego nowego|wszystkie nowe|kazdy nowy|kazda nowa|ktora dodajesz|ktory dodajesz|ktore dodajesz|ktora tworzysz|ktory tworzysz|ktory piszesz|ktora piszesz|ktory zmieniasz|ktora zmieniasz|ktorego uzywasz|ktore generujesz|wszystko co|cokolwiek|gdy mowisz|gdy piszesz|kiedy piszesz|tylko linie ktore|tylko te linie|tylko pliki ktore|tylko te pliki|jeden commit na|jeden pr na|na ticket|na kazdy ticket|dokladnie jeden|nadal obowiazuje|wciaz obowiazuje|^jeden .. na|^jedna .. na|^jedno .. na",
        ),
        (
            Whenever,
            "gdy tylko|jak tylko|kiedy zmieniasz|gdy zmieniasz|jak zmieniasz|jesli cos|jesli potrzebujesz|jesli chcesz|jesli masz|jesli zmieniasz|jesli|jezeli|gdyby|jak cos|zanim|po kazdej zmianie|po zmianie|w razie|w przypadku|dopiero po|dopiero gdy|tylko gdy|tylko jesli|kiedy tylko|gdy ruszasz|jak ruszasz|kiedy ruszasz|gdy dotykasz|gdy dodajesz|gdy tworzysz|gdy piszesz|kiedy dodajesz|kiedy piszesz|gdy|kiedy|jak test|w razie watpliwosci|przy kazdej|przy kazdym|przed kazdym|przed kazda|po kazdym|po kazdej|przy zmianach|przy edycji|przed commitem|gdzie sie da|gdzie to mozliwe|kiedy sie da|jak nie jestes|jesli nie jestes|jak nie wiesz|jak jest wiecej|gdy jest wiecej|jesli test|gdy test|chyba ze|dopoki|przed|za kazdym razem gdy zmieniasz|dla kazdego|poza",
        ),
        (
            Task,
            "^napraw|^popraw|^dodaj|^napisz|^zrob|^stworz|^utworz|^zbuduj|^zmien|^usun|^skasuj|^zrefaktoruj|^wyjasnij|^pokaz|^przetlumacz|^przenies|^wstaw|^uruchom|^odpal|^znajdz|^poszukaj|^zobacz|^przeczytaj|^otworz|^sprawdz|^zastap|^podmien|^zainstaluj|^wygeneruj|^przekonwertuj|^zaimplementuj|^zoptymalizuj|^posprzataj|^przetestuj|^podsumuj|^mozesz|^moglbys|^uzyj|^daj|^powiedz|^kontynuuj|^pomoz|^porownaj|^przeanalizuj|^opisz|^zmerguj|^zmigruj|^uprosc|^wydziel|^przepisz|^zdeployuj|^wrzuc|^zacommituj|^potrzebuje|^zaktualizuj|^teraz|^przygotuj|^dokoncz|^wklej|^podbij|^zrebase|^przebuduj",
        ),
        (
            Purpose,
            "zeby|aby|tak zeby|tak aby|ktory sprawdza|ktora sprawdza|ktore sprawdza|zapewniajacy|regule|regula ktora|walidacje|test ktory|by cena|by wartosc|czemu|dlaczego",
        ),
        (
            Question,
            "^czy|^dlaczego|^czemu|^po co|^gdzie|^kto|^ktory|^ktora|^ktore|^ile|^mozesz|^moge|^mozemy|^mozna|^musze|^musimy|^powinienem|^powinnismy|^masz|^pamietasz|^wiesz|^jest|^to jest|^dziala|^zapomniales|czy nie$|prawda$|co nie$|roznica miedzy|roznice miedzy",
        ),
        (
            Request,
            "^mozesz|^moglbys|^moglabys|^czy mozesz|^czy moglbys|^czy moglabys|moglbys|moglabys",
        ),
        (
            Narration,
            "ja zawsze|ja nigdy|zawsze zapominam|nigdy bym|nigdy nie widzialem|nigdy nie dziala|nigdy nie dzialalo|nigdy nie wraca|nigdy nie konczy|nigdy sie nie|nigdy tego nie|zawsze sie|zawsze ten sam|zawsze to samo|zawsze ta sama|ciagle ten sam|ciagle to samo|ten sam blad|jak zawsze|od zawsze|zawsze byl|zawsze bylo|to nigdy|to zawsze sie|to na pewno|na pewno musza|na pewno musi|musi to byc|to musi byc|musialo|musial|musi byc cos|pewnie|wczoraj|w zeszlym tygodniu|w zeszlym roku|nie wiem|nie rozumiem|nie mam pojecia|niewazne|nie szkodzi|nie ma sprawy|nie ma problemu|nie dziala|nie bylo|nie ten|nie ta|nie to|jeszcze nie|nie teraz|prawie nigdy|chcialem|chcialam|myslalem|znalazlbym|dzieki|zawsze tak|zawsze jest|tak zawsze|zawsze cos|przed refaktorem|przed refactorem|przed migracja|przed zmiana bylo|zawsze mielismy|mielismy zawsze|nigdy nie chcialem|nigdy nie chcialam|nie uruchomiono|nie znaleziono|nigdy nie powinno|nigdy nie powinien|haha|xd|lol|do tej pory|do wczoraj|jest jakis|nie podoba mi sie|nie chce tego stracic|stracic|nigdy nie powinnismy|nie powinnismy byli|nie trzeba bylo|nikt mi|nikt nie wie|nikt nie mowil|nie widze|nie mam|nie moge|nie znajduje|nie ma|nie pojawia|nie laduje|ciagle mowi|wciaz mowi|teraz przechodza|sa zielone|nic sie nie dzieje|zawsze myslalem|zawsze myslalam|nigdy tego nie powiedzial*|widze|tego nie powiedzialem|zawsze milo|zawsze fajnie|zawsze dobrze gdy|dzieje sie to tylko|dzieje sie tylko|miales racje|mialas racje|zniknely|zniknal|padlo|w poprzednim projekcie|w ostatnim projekcie|wtedy nigdy|wtedy|*lismy|*lysmy|zla galaz|zly plik|bylo ok|bylo dobrze|nigdy nie pamietam|nie trzeba zadnych|zadne .. nie sa potrzebne|nie potrzebuje juz|nie potrzebuje|lata temu|miesiace temu|zostal tylko|zostaly tylko|zapomniales|nie chce poswiec*|nie chce tracic|nie chce marnowac|z jakiegos powodu|nie wiem czemu|moja wina|moj blad|za kazdym razem jak otwieram|za kazdym razem gdy otwieram|za kazdym razem kiedy ja|nie chce stracic|nie chce tego|nie chce poswiecac|nie trzeba|zawsze zaczynam|zawsze uzywam|nie powstal|nie powstala|nie powstalo|za kazdym razem jak klikam|za kazdym razem gdy klikam|kiedy klikam|gdy klikam|jak klikam|jak klikne|gdy klikne|ale nie jest|ale nie dziala|a nie jest|ale tego nie robi",
        ),
        (
            Trouble,
            "blad|bledy|bledem|pada|sypie|wywala|zepsute|zepsuty|wyjatek|timeout|wolno dziala|wisi|zawiesza|czerwony|czerwone|nie dziala|problem|dziwne|crashuje|wrocil|nie przechodzi|nie przechodza",
        ),
        (
            Report,
            "dokumentacja mowi|dokumentacja|w dokumentacji|wedlug|linter mowi|linter|kompilator|ticket|w tickecie|szef|szefowa|moj szef|mowi ze|mowia ze|powiedzial|powiedziala|napisal|napisala|podobno|readme|git mowi|komunikat|w logu|stackoverflow|ponoc|test mowi|pisze ze|kolega|kolezanka|mowilem mu|mowilem jej|powiedzialem mu|mowilam mu|mowil|mowila|kazal|kazala|mowili|prawnik|prawniczka|klient pisze|klient napisal|support|ze specyfikacji|z dokumentu|design doc|z wiki|z ticketa|z wymagan|z dokumentacji :|kaze ludziom",
        ),
        (
            Suppose,
            "co jesli|co gdyby|a gdyby|zalozmy|zalozmy ze|wyobraz sobie|powiedzmy ze|przypuscmy|teoretycznie|hipotetycznie|gdybysmy|co sie stanie|co by bylo|jesli nigdy|jakby nigdy",
        ),
        (
            Idiom,
            "^niewazne|^nie szkodzi|^nie martw sie|^nie przejmuj sie|^nie ma sprawy|^nie ma problemu|^nie ma za co|^nic nie szkodzi|^nic takiego|^nie ,|^jeszcze nie|^nie teraz|^spokojnie|^dobra|^zapomnij$|^zapomnij o tym$|^nigdy w zyciu|^lepiej pozno|^nie pamietam|^pamietam|^nie sadze|^pamietasz|^nie mam pojecia|^chyba nie|^przepraszam|^sorki|^sory|^moja wina|^niezle|^nie poddawaj sie|^nie przestawaj|^nie drugi|^nie pierwszy|^nigdy nie widzialem|^zostaw ,|^zostaw to|^zostaw sam|roznica miedzy|roznice miedzy|zapomnij .. na razie|zapomnij .. na chwile",
        ),
        (
            Now,
            "teraz|na razie|poki co|tym razem|jeszcze nie|dzis|dzisiaj|najpierw to|w tym pliku|w tej funkcji|w tym pr|w tym commicie|tylko tu|tylko tym razem|chwilowo|obecnie|jeszcze|narazie|w tej chwili|dzisiaj nie|to tylko demo|tymczasem|na chwile|na moment|wyjatkowo|jednorazowo|w tej odpowiedzi|jeszcze potrzebn*|jeszcze potrzebuj*|jeszcze sie przyda",
        ),
        (Then, "^wtedy|^to wtedy|^w takim razie|^jesli tak"),
        (
            Aside,
            "a przy okazji|przy okazji|a tak w ogole|tak w ogole|swoja droga|btw|aha|a i|i jeszcze|jeszcze jedno|i jeszcze jedno|poza tym|a poza tym|dodatkowo|ponadto|i tez|oprocz tego|skoro juz|i ogolnie|i generalnie|i od teraz|i na przyszlosc|i pamietaj|i nie zapomnij|i nigdy|i zawsze|ale nigdy|ale zawsze|ps|i prosze|a na przyszlosc",
        ),
        (And, "i|oraz|ale|a"),
        (
            Filler,
            "prosze|ok|okej|dobra|dobrze|no|wiec|i|ale|a|ach|oh|hej|czesc|tak|nie|dzieki|dziekuje|tylko|tez|sluchaj|hm|hmm|to|jeszcze raz|jak mowilem|po prostu|stop|czekaj|powtarzam|jeszcze jedno|i jeszcze jedno|i jeszcze|jeszcze cos|ostatnia rzecz|przy okazji|a tak przy okazji|poza tym|jak zawsze|przypominam|swoja droga|w ogole",
        ),
        (
            Tag,
            "ok|okej|dobra|dobrze|tak|nie|prawda|jasne|zrozumiano|zgoda|rozumiesz|prosze|co",
        ),
        (
            Once,
            "jak skonczysz|gdy skonczysz|kiedy skonczysz|po zakonczeniu daj|linia 1|linia 3|ostatnie|ostatnia|ostatni|pierwsze|druga|drugiej|drugi|tej drugiej|tego drugiego|to podejscie|tego podejscia|ten pomysl|ten plik|z pliku|w pliku|jutro|nie tak|rob tak|tak nie|zostaw tak|ten blad|ten test|literowke|literowka|opcja a|opcja b|srednik*|stara|stary|nowa|nowy|z readme|sprobuj jeszcze|^uzyj .. tu|uzyj tu|uzyj tutaj|^daj .. tu|caly plik|drugi blad|naglowka|naglowek|jak zadziala|jesli zadziala|jak przejdzie|te funkcje|ta funkcja|ten modul|zla galaz|odpowiedz do|te galaz|do tego uzyj|w linii 1*|w linii 2*|w linii 3*|w linii 4*|w linii 5*|w linii 6*|w linii 7*|w linii 8*|w linii 9*|w linijce 1*|w linijce 2*|w linijce 3*|w linijce 4*|w linijce 5*|w linijce 6*|w linijce 7*|w linijce 8*|w linijce 9*|w wierszu 1*|w wierszu 2*|w wierszu 3*|w wierszu 4*|w wierszu 5*|w wierszu 6*|w wierszu 7*|w wierszu 8*|w wierszu 9*|powiedz jak|powiedz kiedy|powiedz gdy|daj znac jak|daj znac gdy|kroki|dodaj sprawdzenie|usun ja|^poczekaj z|^poczekaj chwile|^zaczekaj|^wstrzymaj sie z|nie uzywaj tu|nie uzywaj tutaj|tu nie uzywaj|tutaj nie uzywaj|tym razem|wyjatkowo|jednorazowo|w tej odpowiedzi",
        ),
        (
            Style,
            "kebab case|snake case|camelcase|malymi literami|wielkimi literami|w trybie rozkazujacym|w utc|trzymamy|przechowujemy|zapisujemy|leza obok|lezy obok|obok kodu|obok|pojedyncze cudzyslowy|spacje|tabulatory|taby|alfabetycznie|po angielsku|po polsku|nazywaja sie|w formacie|male|krotkie|malutkie|atomowe|w formacie iso|formacie iso|jeden komponent na|bez jquery|z myslnikami|najpierw|idzie do|ida do|trafia do|malymi|w iso|format iso|w groszach|w czasie terazniejszym|na sztywno|formy pan|formy pani|formy grzecznosciowej",
        ),
        (
            Change,
            "^usun|^skasuj|^wywal|^zmien nazwe|^przemianuj|^przenies|^zastap|^podmien|^przetlumacz|^skonwertuj|^popraw|^napraw|^przepisz|^skopiuj|^polacz|^cofnij",
        ),
        (
            Reallow,
            "mozesz znowu|mozesz znow|mozesz z powrotem|mozesz ponownie|znowu wolno|znow wolno|znowu dozwolone|znow dozwolone|sa znowu ok|jest znowu ok|teraz mozesz|teraz juz mozesz|teraz juz mozna|juz mozesz|juz mozna|od teraz mozesz|teraz mozna|znowu mozesz|znow mozesz|jest juz ok|sa juz ok|mozesz juz|jednak mozna|jednak moze|jednak ok|jednak sa ok",
        ),
        (
            RuleName,
            "zasada|zasade|zasady|regula|regule|sprawa|limit|zakaz|to o|mowilem|mowilam|powiedzialem|juz|znowu|znow|uzywac|dotyczaca|wczesniej",
        ),
        (
            Duty,
            "musza|maja byc|powinny|nie moga|nie moze byc zmieni*|nic nie moze|wpisujemy w|wpisuje sie w|ida w|trafiaja do|umieszczamy w",
        ),
        (
            Definite,
            "^ten|^ta|^to|^te|^ci|^on|^ona|^oni|^my|^ja|^ty musisz|^moj|^moja|^tam|^tu",
        ),
        (
            Preface,
            "^jeszcze raz :|^powtarzam|^jeszcze jedno|^i jeszcze jedno|^i jeszcze|^ostatnia rzecz|^przypomnienie|^zasada|^jeszcze cos",
        ),
        (Cease, "przestac|skonczyc z|juz nie|unikac"),
        (
            Head,
            "na przyszlosc|w przyszlosci|na pozniej|dwie rzeczy|2 rzeczy|trzy rzeczy|3 rzeczy|kilka rzeczy|pare rzeczy|dwie zasady|2 zasady|trzy zasady|kilka zasad|zasady|moje zasady|nasze zasady|od teraz|od dzis|od dzisiaj|konwencje|wytyczne|preferencje|przypomnienie|jak pracujemy|reguly",
        ),
        (
            Paper,
            "mail|maila|e mail|email|readme|wiki|docs|dokumentacji|dokumentacje|polityke|ticket|ticketa|changelog|changelogu|ogloszenie|prompt|^opis commita :|^wiadomosc commita :|^wiadomosc :|^tytul :|^temat :|^wymaganie :|list|artykul|post|wiadomosc|slack|slajd|plakat|szablon|instrukcje|podrecznik|sekcje|zdanie|przetlumacz|tekst|notatke",
        ),
        (
            Product,
            "^uzytkownicy|^klienci|uzytkownicy musza|uzytkownicy nie moga|uzytkownicy moga|klienci musza|uzytkownik musi|uzytkownik nie moze|uzytkownik moze|klient musi|bot musi|bot nie moze|przycisk musi|przycisk ma|przycisk powinien|strona musi|strona powinna|pole musi|funkcja musi|funkcja powinna|metoda musi|endpoint musi|odpowiedz musi|aplikacja musi|api musi|serwer musi|job musi|wartosc musi|haslo musi|lista musi|suma musi|wynik musi|zapytanie musi|cache musi|komponent|admini|nigdy nie powinno|powinno zawsze|zawsze powinno|to nigdy nie|to zawsze powinno|dodaj walidacj*|dodaj sprawdzenie|dodaj kontrol*|dodaj filtr|zrob filtr|zaimplementuj ten filtr|zaimplementuj filtr|koszyk*|dopisz walidacj*|dorzuc walidacj*|aplikacja nigdy|aplikacja nie moze|strona nigdy|strona nie moze|uzytkownik nigdy",
        ),
        (
            Formerly,
            "w starej firmie|w starym|w starej|w poprzedniej|w poprzednim|poprzedniej firmie|poprzedniej pracy|poprzednim projekcie|dawniej|kiedys|wtedy|musial|musialem|musieli|musielismy|musiala|mogl|mogli|moglismy|trzeba bylo|nie wolno bylo|bylo zabronione|mielismy zasade|byla zasada|na studiach",
        ),
        (
            Generic,
            "jakis|jakas|jakies|cos|kazdy|kazda|kazde|kazdego|kazdej|wszystko|wszystkie|wszystkich|dowolny|dowolna|plik|pliku|kilka",
        ),
        (
            Reason,
            "bo|poniewaz|wiec|inaczej|gdyz|zeby|czytam|moge|diff|mamy|sa|jest|sam przeczytam|i tak|stad|one i tak|dlatego",
        ),
        (
            Wonder,
            "dziwne|dziwnie|ciekawe|ale nie jest|a nie jest|ale tego nie robi|ale tak nie jest|na tym polega blad|to jest ten blad|w tym problem",
        ),
        (
            Relay,
            "^powiedz klientowi|^powiedz mu|^powiedz jej|^powiedz im|^powiedz zespolowi|^przekaz|^przypomnij mu|^przypomnij klientowi|^zapytaj klienta|klient chce|szef chce|ona chce|on chce|oni chca",
        ),
        (
            Drop,
            "zapomnij|zapomnij o|olej|zignoruj|ignoruj|anuluj|usun|skresl|wycofuje|odwoluje|znosze|znies|porzuc|daruj|odpusc|wywal",
        ),
        (
            RuleNoun,
            "zasada|zasade|zasadzie|zasady|regula|regule|reguly|limit|limicie|limitu|zakaz|zakazie|ograniczenie|ograniczeniu|wymog|wymogu|polecenie|instrukcja|warunek|budzet",
        ),
        (
            Over,
            "juz nie obowiazuje|nie obowiazuje|nieaktualna|nieaktualne|nieaktualny|jest niewazna|przestala obowiazywac|odwolana|odwolany|zniesiona|zniesiony|skonczyla sie|juz nie trzeba|wypada|juz niepotrzebna|juz niepotrzebny",
        ),
        (Halt, "przestan|koniec z|juz nie|dosc"),
        (
            Withdraw,
            "zapomnij co mowilem|zapomnij co mowilam|zapomnij , co mowilem|zapomnij to co mowilem|zapomnij o tym co mowilem|zapomnij o tym , co mowilem|zapomnij co powiedzialem|zapomnij , co powiedzialem|zapomnij co pisalem|zapomnij o zasadzie|zapomnij o regule|zapomnij zasade|zapomnij regule|zapomnij o wszystkim co|zignoruj to co mowilem|zignoruj co mowilem|zignoruj zasade|zignoruj regule|ignoruj zasade|anuluj zasade|anuluj regule|odwoluje zasade|odwoluje to co|odwoluje regule|usun zasade|usun regule|skresl zasade|skresl regule|wycofuje zasade|wycofuje to co|wycofuje sie z|zasada .. juz nie obowiazuje|zasada .. nie obowiazuje|zasada .. przestaje obowiazywac|regula .. juz nie obowiazuje|regula .. nie obowiazuje|zasada .. nieaktualna|regula .. nieaktualna|to co mowilem o .. nieaktualne|mozesz zapomniec o zasadzie|mozesz zapomniec o tym co|juz nie obowiazuje|nie obowiazuje juz|przestaje obowiazywac|juz nie trzeba|nie musisz juz|juz nie musisz|nie trzeba juz|skresl to o|skresl to z|zapomnij to o|zapomnij o tym z|daj spokoj z|odwoluje to o|zmienilem zdanie co do|zmienilam zdanie co do|zmienilem zdanie w sprawie|nieaktualne|juz nieaktualne|przestalo obowiazywac|nie jest juz potrzebne|nie jest juz wymagane|koniec z zasada|zapomnij o limicie|zapomnij o ograniczeniu|zapomnij o zakazie|mozesz zapomniec o limicie|mozesz przestac|znies limit|znosze limit|nie musisz .. wiecej|nie potrzebuje juz|zmienilem zdanie|zmienilam zdanie|mozesz przestac z|mozesz sobie darowac|mylilem sie co do|mylilam sie co do|mylilem sie w sprawie|zapomnij o|cofam to|cofam to o|cofam|wycofuje|wycofuje to|odwoluje|odwoluje to|daruj sobie",
        ),
        (
            Touch,
            "nie ruszaj|nie ruszac|nie ruszajcie|nie rusz|nie dotykaj|nie dotykac|nie tykaj|nie grzeb|nie grzebac|nie zmieniaj|nie zmieniac|nie modyfikuj|nie modyfikowac|nie edytuj|nie edytowac|nie usuwaj|nie usuwac|nie kasuj|nie kasowac|nie nadpisuj|nie nadpisywac|nie przenos|nie przenosic|zostaw .. w spokoju|rece precz|lapy precz|nie ruszamy|nie zmieniamy|nie tykac|nietkniet*|bez zmian|zostaje tak|zostaja tak|nie przeformatowuj|nie formatuj",
        ),
        (
            Place,
            "folder*|katalog*|plik|plikow|pliku|pliki|plikach|tabel*|modul*|galez*|branch*|paczk*|pakiet*|schemat*|baz*|db|interfejs*|config*|konfig*|pipeline*|migracj*|fixtur*|snapshot*|serwer*|klaster*|sekret*|env|vendor*|infra*|repo|repozytori*|bibliotek*|legacy|prod|produkcj*|staging*|tlumacze*|generowan*|wygenerowan*|nie twoj*",
        ),
        (Solely, "tylko|wylacznie|jedynie|po prostu"),
    ],
};

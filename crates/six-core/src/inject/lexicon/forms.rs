//! Forms of words: endings that a list gives once for many stems, and ways to spell one word.

use std::borrow::Cow;

/// Named endings of a list's section `[endings]`, a line each: `er = er, e, ez`. The stem alone is the
/// ending `-`, and `_` is a blank.
#[derive(Debug, Default)]
pub(crate) struct Endings<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Endings<'a> {
    /// Takes a line; one that names nothing is left out.
    pub(crate) fn add(&mut self, line: &'a str) {
        self.0.extend(line.split_once('=').map(|(name, endings)| (name.trim(), endings)));
    }

    /// What a phrase stands for: `ajout~er` for each form of the stem `ajout`, anything else for itself. Words may follow.
    pub(crate) fn forms(&self, phrase: &'a str) -> Vec<Cow<'a, str>> {
        let Some((stem, named)) = phrase.split_once('~') else { return vec![Cow::Borrowed(phrase)] };
        let (name, rest) = named.find(' ').map_or((named, ""), |at| named.split_at(at));
        let endings = self.0.iter().find(|(known, _)| *known == name).map_or("", |(_, endings)| endings);
        let form = |ending: &str| {
            let ending = if ending == "-" { String::new() } else { ending.replace('_', " ") };
            Cow::Owned(format!("{stem}{ending}{rest}"))
        };
        endings.split(',').map(str::trim).filter(|ending| !ending.is_empty()).map(form).collect()
    }
}

/// How the words of a language may be spelt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// One way.
    Plain,
    /// `ä` is also `ae`.
    Umlauts,
    /// Accents are often left out, and move when a pronoun is joined on.
    Accents,
    /// One letter for another: `ё` is `е`, a traditional character is the simplified one.
    Letters,
}

/// Letters in short words tell words apart: `qué` asks and `que` does not.
const SHORT: usize = 4;

impl Spelling {
    /// How a phrase stands in the table.
    pub(crate) fn listed(self, phrase: &str) -> String {
        if self == Self::Letters { phrase.chars().map(simple_letter).collect() } else { phrase.to_owned() }
    }

    /// The phrase as it is typed without marks, if that is another one.
    pub(crate) fn without_marks(self, phrase: &str) -> Option<String> {
        match self {
            Self::Umlauts => {
                let spelt = phrase.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue").replace('ß', "ss");
                (spelt != phrase).then_some(spelt)
            }
            Self::Accents if phrase.chars().count() > SHORT => plain_letters(phrase),
            Self::Plain | Self::Accents | Self::Letters => None,
        }
    }

    /// A word of a prompt as its form without an accent inside: `arréglalo`. An accent at the end is the past: `arreglé`.
    pub(crate) fn unaccented(self, word: &str) -> Option<String> {
        let inner = self == Self::Accents && word.ends_with(|c: char| c.is_ascii());
        if inner && word.chars().count() > SHORT { plain_letters(word) } else { None }
    }

    /// A text of a prompt in the letters of the table. Each letter keeps its length in bytes.
    pub(crate) fn simplified(self, text: &str) -> Cow<'_, str> {
        if self == Self::Letters && text.chars().any(|c| simple_letter(c) != c) {
            Cow::Owned(text.chars().map(simple_letter).collect())
        } else {
            Cow::Borrowed(text)
        }
    }
}

fn plain_letters(phrase: &str) -> Option<String> {
    if phrase.is_ascii() {
        return None;
    }
    let plain = |c: char| match c {
        'á' | 'à' | 'â' | 'ã' | 'ä' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        c => c,
    };
    Some(phrase.chars().map(plain).collect())
}

/// Traditional characters that occur beside the phrases of the list, in order.
const TRADITIONAL: [char; 297] = [
    '並', '佈', '併', '來', '係', '個', '們', '備', '傳', '傾', '價', '優', '兒', '內', '兩', '別', '刪', '剛', '創',
    '劃', '動', '務', '勞', '協', '參', '問', '啟', '單', '嗎', '嘗', '嚴', '國', '圍', '圖', '執', '報', '壓', '壞',
    '夠', '學', '實', '審', '寫', '將', '專', '對', '導', '幫', '幹', '幾', '庫', '後', '從', '憶', '應', '換', '擇',
    '擔', '據', '擬', '數', '斷', '於', '時', '會', '東', '條', '極', '構', '樓', '標', '樣', '樹', '機', '檔', '檢',
    '欄', '權', '歡', '歷', '歸', '殘', '決', '沒', '測', '準', '滿', '漲', '潔', '潰', '濾', '瀏', '灣', '為', '無',
    '煩', '熱', '爛', '爾', '狀', '獨', '獲', '現', '環', '產', '畫', '異', '當', '疊', '發', '盡', '盤', '確', '碼',
    '種', '稱', '積', '穩', '競', '筆', '節', '範', '簡', '籤', '粵', '約', '紅', '純', '紙', '級', '細', '終', '組',
    '結', '絕', '絡', '給', '統', '綁', '經', '維', '網', '緊', '緒', '線', '編', '緩', '縮', '總', '織', '繪', '繼',
    '續', '罰', '義', '習', '聯', '職', '聽', '臨', '與', '舉', '舊', '處', '號', '術', '衝', '裏', '補', '裝', '裡',
    '複', '見', '規', '視', '覺', '覽', '觀', '觸', '訂', '計', '訊', '討', '記', '訪', '設', '許', '註', '評', '詢',
    '試', '該', '詳', '認', '語', '誤', '說', '誰', '課', '調', '談', '請', '論', '諸', '謂', '講', '謝', '證', '識',
    '譯', '議', '護', '讀', '變', '讓', '買', '費', '資', '質', '賬', '趕', '跡', '車', '軌', '軟', '較', '載', '輕',
    '輯', '輸', '轉', '這', '連', '週', '進', '運', '過', '遠', '適', '遲', '遷', '選', '遺', '還', '邊', '邏', '釋',
    '釐', '錄', '錯', '鍵', '鍾', '鎖', '鏈', '鏡', '長', '門', '閃', '閉', '開', '閒', '間', '閱', '關', '隊', '階',
    '隨', '險', '隱', '雙', '雜', '離', '難', '電', '韓', '響', '頁', '項', '順', '預', '頭', '頻', '題', '額', '願',
    '類', '顧', '顯', '風', '飯', '驅', '驗', '體', '鬆', '鬧', '麼', '點',
];

/// The simplified one of each.
const SIMPLIFIED: [char; 297] = [
    '并', '布', '并', '来', '系', '个', '们', '备', '传', '倾', '价', '优', '儿', '内', '两', '别', '删', '刚', '创',
    '划', '动', '务', '劳', '协', '参', '问', '启', '单', '吗', '尝', '严', '国', '围', '图', '执', '报', '压', '坏',
    '够', '学', '实', '审', '写', '将', '专', '对', '导', '帮', '干', '几', '库', '后', '从', '忆', '应', '换', '择',
    '担', '据', '拟', '数', '断', '于', '时', '会', '东', '条', '极', '构', '楼', '标', '样', '树', '机', '档', '检',
    '栏', '权', '欢', '历', '归', '残', '决', '没', '测', '准', '满', '涨', '洁', '溃', '滤', '浏', '湾', '为', '无',
    '烦', '热', '烂', '尔', '状', '独', '获', '现', '环', '产', '画', '异', '当', '叠', '发', '尽', '盘', '确', '码',
    '种', '称', '积', '稳', '竞', '笔', '节', '范', '简', '签', '粤', '约', '红', '纯', '纸', '级', '细', '终', '组',
    '结', '绝', '络', '给', '统', '绑', '经', '维', '网', '紧', '绪', '线', '编', '缓', '缩', '总', '织', '绘', '继',
    '续', '罚', '义', '习', '联', '职', '听', '临', '与', '举', '旧', '处', '号', '术', '冲', '里', '补', '装', '里',
    '复', '见', '规', '视', '觉', '览', '观', '触', '订', '计', '讯', '讨', '记', '访', '设', '许', '注', '评', '询',
    '试', '该', '详', '认', '语', '误', '说', '谁', '课', '调', '谈', '请', '论', '诸', '谓', '讲', '谢', '证', '识',
    '译', '议', '护', '读', '变', '让', '买', '费', '资', '质', '账', '赶', '迹', '车', '轨', '软', '较', '载', '轻',
    '辑', '输', '转', '这', '连', '周', '进', '运', '过', '远', '适', '迟', '迁', '选', '遗', '还', '边', '逻', '释',
    '厘', '录', '错', '键', '钟', '锁', '链', '镜', '长', '门', '闪', '闭', '开', '闲', '间', '阅', '关', '队', '阶',
    '随', '险', '隐', '双', '杂', '离', '难', '电', '韩', '响', '页', '项', '顺', '预', '头', '频', '题', '额', '愿',
    '类', '顾', '显', '风', '饭', '驱', '验', '体', '松', '闹', '么', '点',
];

fn simple_letter(c: char) -> char {
    match c {
        'ё' => 'е',
        '\u{4e00}'..='\u{9fff}' => {
            TRADITIONAL.binary_search(&c).ok().and_then(|at| SIMPLIFIED.get(at)).copied().unwrap_or(c)
        }
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_stands_for_its_forms_and_a_plain_phrase_for_itself() {
        let mut endings = Endings::default();
        endings.add("er = er, -, ez-le, _donc");
        assert_eq!(endings.forms("ajout~er"), ["ajouter", "ajout", "ajoutez-le", "ajout donc"]);
        assert_eq!(endings.forms("mets à jour"), ["mets à jour"]);
        assert!(endings.forms("ajout~unknown").is_empty());
    }

    #[test]
    fn marks_may_be_left_out_where_that_makes_no_other_word() {
        assert_eq!(Spelling::Umlauts.without_marks("ändern").as_deref(), Some("aendern"));
        assert_eq!(Spelling::Accents.without_marks("añadir").as_deref(), Some("anadir"));
        assert_eq!(Spelling::Accents.without_marks("qué"), None);
    }

    #[test]
    fn an_accent_that_moved_is_no_other_word_and_one_at_the_end_is_the_past() {
        assert_eq!(Spelling::Accents.unaccented("arréglalo").as_deref(), Some("arreglalo"));
        assert_eq!(Spelling::Accents.unaccented("arreglé"), None);
    }

    #[test]
    fn letters_of_one_sound_or_sense_are_one_and_keep_their_place() {
        for (typed, listed) in [("ещё", "еще"), ("幫我檢查", "帮我检查")] {
            assert_eq!(Spelling::Letters.simplified(typed), listed);
            assert_eq!(Spelling::Letters.simplified(typed).len(), typed.len());
        }
        assert!(TRADITIONAL.is_sorted(), "they are searched by halves");
    }
}

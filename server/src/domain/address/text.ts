import { visibleText } from '@waystation/contract/base/visible-text.ts';

/**
 * A pasted text in two forms of equal length, so that an index is valid in both. `plain` is used
 * for searching: ASCII digits, letters and signs, and simplified characters in division names.
 * `shown` is used for the fields.
 */
export interface Text {
  plain: string;
  shown: string;
}

const spread = (to: string, from: string): [string, string][] =>
  [...from].map((character) => [character, to]);

/**
 * Maps each sign to its plain form. Both have the same length, one UTF-16 unit, so that positions
 * in the text stay the same.
 */
const marks = new Map<string, string>([
  ...spread('-', '‐‑‒–—―−﹣－'),
  ...spread(',', '，、﹐﹑'),
  ...spread(';', '；。；﹔①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳❶❷❸❹❺❻❼❽❾❿'),
  ...spread(':', '：﹕∶'),
  ...spread('|', '｜丨│┃║¦'),
  ...spread('(', '（'),
  ...spread(')', '）'),
  ...spread('[', '【〔［「『〖《'),
  ...spread(']', '】〕］」』〗》'),
  ...spread('"', '“”„'),
  ...spread("'", '‘’'),
  ...spread('*', '＊∗✱●•⁎﹡'),
  ...spread('·', '・‧∙•˙'),
  ...spread('\n', '\u0085\u2028\u2029'),
]);
// A bullet is a masked digit in a number and a separator in a name. It is read as a masked digit,
// because the opposite mistake is worse.
marks.set('•', '*');

/** Traditional characters that occur in names of divisions and in labels. */
const traditional = new Map(
  Array.from(
    [
      '臺台灣湾縣县區区鄉乡鎮镇島岛門门龍龙觀观東东廣广東东開开關关興兴華华蘭兰濱滨蘇苏揚扬鄭郑長长陽阳陰阴漢汉貴贵雲云滬沪遼辽寧宁陝陕瀘泸慶庆齊齐張张貝贝馬马鳳凤黃黄嶺岭埗埗葵葵黨党劃划號号樓楼電电話话機机聯联繫系絡络詳详細细址址郵邮編编碼码轉转灣湾澳澳銅铜鑼锣將将軍军澳澳頭头圍围營营橋桥莊庄蓮莲燈灯園园陳陈劉刘趙赵吳吴孫孙楊杨許许鄧邓葉叶謝谢羅罗蕭萧蔣蒋盧卢賴赖鍾钟馮冯呂吕譚谭韓韩龔龚鄒邹陸陆顧顾錢钱嚴严聶聂簡简湯汤華华範范賈贾喬乔單单盧卢岡冈峽峡圓圆運运縱纵寶宝壽寿榮荣屬属衛卫',
      '貨货戶户業业叢丛兩两豐丰臨临為为麗丽義义烏乌樂乐習习產产亞亚倉仓侖仑崙仑儀仪們们會会偉伟倫伦來来俠侠體体內内農农淨净凈净準准涼凉憑凭凱凯剛刚創创別别劍剑勸劝務务勢势勝胜勻匀歷历曆历廂厢廈厦廠厂雙双發发疊叠敘叙後后啟启員员響响鹹咸國国圖图團团聖圣場场壩坝壇坛壘垒墾垦墊垫塢坞壢坜壯壮壺壶復复',
      '夾夹婁娄學学寬宽賓宾審审宮宫實实爾尔堯尧嶼屿崗岗嵐岚嶗崂嶧峄崍崃巒峦嶽岳崑昆峯峰巖岩鞏巩鉅巨師师帥帅庫库應应廟庙廬庐彌弥強强歸归當当彥彦懷怀恆恒紮扎撫抚無无舊旧暉晖晉晋術术樸朴雜杂權权極极楓枫棗枣棧栈樹树棲栖欒栾樺桦棟栋夢梦樅枞橫横畢毕匯汇滙汇彙汇溝沟滄沧澤泽涇泾窪洼瀏浏濟济渾浑',
      '濃浓潯浔湞浈溮浉淶涞漣涟渦涡潤润澗涧漵溆溫温澠渑澱淀滿满滎荥灤滦灘滩濰潍潛潜瀾澜濤涛遊游靈灵爐炉煉炼點点煙烟煩烦愛爱猶犹獨独獅狮獻献環环現现瑪玛瓊琼甌瓯疇畴畬畲監监蓋盖盤盘鹽盐皐皋眞真礦矿碭砀硯砚碩硕確确礄硚鹼碱禮礼祿禄禪禅離离積积稱称競竞紅红納纳紹绍線线綫线織织經经結结絳绛綏绥',
      '績绩維维綿绵綜综綠绿縉缙肅肃膠胶腳脚臘腊騰腾脫脱輿舆臥卧節节蕪芜蘆芦薌芗蒼苍萊莱獲获鶯莺蘿萝薩萨藍蓝薊蓟蔭荫藺蔺蘄蕲蘊蕴覺觉讓让訥讷詔诏諸诸諾诺調调誼谊謀谋謙谦譙谯譜谱貞贞貢贡賢贤費费賀贺資资賚赉賽赛贊赞讚赞贛赣車车輪轮載载輝辉邊边達达遷迁邁迈進进遠远連连遜逊遙遥鄰邻郟郏鄆郓鄖郧',
      '鄲郸裡里裏里穀谷鋼钢欽钦鐵铁鉛铅銀银鋒锋錯错錫锡錦锦鏡镜鑲镶間间聞闻閩闽閣阁閬阆閻阎隴陇陘陉隨随霧雾靜静頂顶項项順顺頗颇潁颍額额風风饒饶館馆駐驻驛驿騅骓驗验鮁鲅鮮鲜鯉鲤鳥鸟鳩鸠雞鸡鷄鸡鳴鸣鴨鸭鶴鹤鷹鹰麥麦龜龟魚鱼魯鲁兗兖萬万羣群沖冲衝冲閘闸樣样測测試试瀋沈',
    ]
      .join('')
      .match(/../gu) ?? [],
    (pair) => [pair[0]!, pair[1]!] as const,
  ),
);

/**
 * True for the selectors, joiners and frames inside an emoji, which `visibleText` does not remove.
 */
const isDropped = (code: number): boolean =>
  code === 0x200d || code === 0x20e3 || (code >= 0xfe00 && code <= 0xfe0f);

const isBlank = (code: number): boolean =>
  (code < 0x20 && code !== 0x0a) ||
  code === 0x7f ||
  code === 0xa0 ||
  code === 0x3000 ||
  (code >= 0x2000 && code <= 0x200a) ||
  code === 0x202f ||
  (code >= 0x2300 && code <= 0x23ff) ||
  (code >= 0x25a0 && code <= 0x27bf) ||
  (code >= 0x2b00 && code <= 0x2bff);

/**
 * True for emoji outside the basic plane and the letters of a flag. Rare characters of names begin
 * at U+20000 and are kept.
 */
const isPicture = (high: number): boolean => (high >= 0xd83c && high <= 0xd83e) || high === 0xdb40;

const isWide = (code: number): boolean => code >= 0xff01 && code <= 0xff5e;
const isLetterOrDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x61 && code <= 0x7a);

/** Converts one UTF-16 unit to its two forms: [shown, plain]. */
const spell = (unit: string, code: number): readonly [string, string] => {
  if (code < 0x7f && code >= 0x20) return [unit, unit];
  const mark = marks.get(unit);
  // A wide minus in 3－2－501 becomes a hyphen, as it is printed.
  if (mark) return [unit === '－' ? '-' : unit, mark];
  if (isBlank(code)) return [' ', ' '];
  if (isWide(code)) {
    const ascii = String.fromCharCode(code - 0xfee0);
    return [isLetterOrDigit(code - 0xfee0) ? ascii : unit, ascii];
  }
  return [unit, traditional.get(unit) ?? unit];
};

/**
 * Matches a list number that is an emoji at the start of a line: 1️⃣张三. If a unit such as 号
 * follows, it is a house number instead.
 */
const listEmoji =
  /^([^\S\n]*)(?:[\d#*]\ufe0f?\u20e3)+(?![^\S\n]*[号栋幢座楼层单室弄巷组队期区街路])/gmu;

/** Both forms of a pasted text, without invisible characters and with spaces instead of emoji. */
export const spellings = (pasted: string): Text => {
  const text = visibleText(pasted).replace(/\r\n?/g, '\n').replace(listEmoji, '$1;');
  let plain = '';
  let shown = '';
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isDropped(code)) continue;
    if (isPicture(code)) {
      plain += '  ';
      shown += '  ';
      at += 1;
      continue;
    }
    const [kept, looked] = code === 0x0a ? ['\n', '\n'] : spell(text[at]!, code);
    shown += kept;
    plain += looked;
  }
  return { plain, shown };
};

/**
 * Removes the characters of `set` from the ends of `text`. It always takes linear time, unlike a
 * regular expression.
 */
export const trimOff = (
  text: string,
  set: string,
  ends: 'start' | 'end' | 'both' = 'both',
): string => {
  let start = 0;
  let end = text.length;
  if (ends !== 'end') while (start < end && set.includes(text[start]!)) start += 1;
  if (ends !== 'start') while (end > start && set.includes(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
};

/**
 * The text with simplified characters instead of the traditional ones that occur in division names
 * or surnames.
 */
export const simplified = (text: string): string =>
  Array.from(text, (character) => traditional.get(character) ?? character).join('');

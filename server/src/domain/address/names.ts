/** How likely it is that a piece of text is the name of a person. */
import { firstOf } from '@waystation/contract/base/present.ts';
import { simplified, trimOff } from './text.ts';

const single = new Set(
  '赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯昝管卢莫经房裘缪干解应宗丁宣贲邓郁单杭洪包诸左石崔吉钮龚程嵇邢滑裴陆荣翁荀羊惠甄曲家封芮羿储靳汲邴糜松井段富巫乌焦巴弓牧隗山谷车侯宓蓬全郗班仰秋仲伊宫宁仇栾暴甘厉戎祖武符刘景詹束龙叶幸司韶郜黎蓟薄印宿白怀蒲邰从鄂索咸籍赖卓蔺屠蒙池乔阴胥能苍双闻莘党翟谭贡劳逄姬申扶堵冉宰郦雍璩桑桂濮牛寿通边扈燕冀郏浦尚农温别庄晏柴瞿阎充慕连茹习宦艾鱼容向古易慎戈廖庾终暨居衡步都耿满弘匡国文寇广禄阙东殴利蔚越隆师巩厍聂晁勾敖融冷訾辛阚那简饶空曾毋沙乜养鞠须丰巢关蒯相查后荆红游竺权逯盖益桓公仉督岳帅缑亢况郈有琴归海墨哈谯笪年爱阳佟言福肖闫付兰代涂覃岩仝佘占苟敬揭眭亓',
);
const common = new Set(
  '赵钱孙李周吴郑王冯陈蒋沈韩杨朱秦许何吕施张孔曹严华金魏陶姜谢邹苏潘葛范彭鲁韦马方任袁柳史唐费薛雷贺倪汤罗毕郝安常于傅齐康伍余顾孟黄穆萧尹姚邵汪祁毛戴宋庞熊纪舒屈项祝董梁杜阮蓝季贾江童颜郭梅林钟徐邱骆高夏蔡田樊胡凌霍万柯卢莫房丁邓洪石崔吉龚程邢裴陆荣翁段侯武符刘景詹龙叶司黎白赖乔谭温庄柴阎艾易廖耿文聂曾沙关查游肖闫付兰代涂覃佘欧',
);
const double = new Set(
  '欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 长孙 宇文 司徒 夏侯 南宫 端木 轩辕 独孤 拓跋 闻人 西门 东郭 澹台 申屠 太史 淳于 单于 钟离 闾丘 万俟 赫连 呼延 公冶 宗政 濮阳 公羊 太叔 仲孙 鲜于 司空 亓官 司寇 百里 第五'.split(
    ' ',
  ),
);

const title =
  /(?:先生|女士|小姐|老师|同学|师傅|经理|总|老板|阿姨|叔叔|大叔|大姐|大哥|哥|姐|姨|叔|医生|主任|店长|太太|教授|律师|妈妈|爸爸|奶奶|爷爷)$/;
const nickname = /^[小阿老]\p{Script=Han}{1,2}$/u;
const han = /^\p{Script=Han}+$/u;
const minority = /^\p{Script=Han}{1,12}(?:[·.]\p{Script=Han}{1,12}){1,3}$/u;
const latin = /^[a-z][a-z.'-]*(?: [a-z][a-z.'-]*){0,3}$/i;
const masked = /^\p{Script=Han}{1,3}\*{1,3}\p{Script=Han}?$/u;
/** Matches endings that place names have, but rarely the names of people. */
const placeEnd =
  /(?:[路街道巷弄号楼栋幢座层室房厦寓镇乡县村屯组区市省苑期排户队]|胡同|小区|花园|广场|大厦|中心|大学|学院|学校|中学|小学|医院|公司|门店|超市|驿站|柜|单元|社区|产业园|科技园|家园|公寓|仓库|车站|市场|商场|酒店|宾馆|对面|旁边|附近|门口|[东南西北前后正侧]门|前台|大堂|大院)$/;
const oddEnd = /[城园院店厂场校馆站所部局司铺库亭桥湾府坊堂轩阁庄里门口旁边面内外侧处]$/;
const company =
  /(?:公司|集团|工作室|经营部|商行|旗舰店|专卖店|商店|超市|门店|店铺|服务部|办公室|工厂|学校|医院|部)$/;
const wishes =
  /^(?:收件|收货)(?=\p{Script=Han}{2,4}$)|^(?:请|麻烦|帮我|帮忙)?(?:(?:发货|发件|快递|邮寄|寄|发|送)?给|寄|发)(?=\p{Script=Han}{2,4}$)/u;
const receives =
  /[（(【[]?(?:亲收|代收|签收|亲启|敬启|收启|收件人|收货人|收件|收货|(?<=\S\S)收|(?<=[（(【[])收)[）)】\]]?$/u;
const wrapped = /^[（(【[「]([^（）()【】[\]「」]{1,20})[）)】\]」]$/;
const codeAtEnd = /[（(【[](\d{3,6})[）)】\]]$/;
const edges = ' \n\t,，:：;；.。、-_+/=~#|';

/**
 * The name without words and signs that people add (收, brackets, 请寄给), and the code of the virtual
 * number that followed it (张三[1234]).
 */
export const trimName = (shown: string): { name: string; code: string } => {
  const text = trimOff(shown, edges);
  const inside = wrapped.exec(text)?.[1] ?? text;
  const found = codeAtEnd.exec(inside);
  const bare = (found ? inside.slice(0, found.index) : inside)
    .replace(receives, '')
    .replace(wishes, '');
  return { name: trimOff(bare, edges), code: found?.[1] ?? '' };
};

/** True if the name is that of a company, a shop or an office. */
export const isOffice = (name: string): boolean =>
  name.length <= 24 &&
  !/\d/.test(name) &&
  /公司|集团|工作室|经营部|[^便]店|前台|收发室|门卫|服务部|办公室|仓库|工厂/.test(name);

const hanScore = (name: string): number => {
  const length = [...name].length;
  if (double.has(name.slice(0, 2)) && length >= 3 && length <= 4) return 86;
  const first = firstOf([...name]);
  if (length === 1) return 15;
  if (single.has(first) && length <= 3) return common.has(first) ? 85 : 76;
  if (nickname.test(name) && length <= 3) return 66;
  if (length <= 3) return 48;
  if (length === 4) return common.has(first) ? 56 : 34;
  return company.test(name) ? 24 : length <= 6 ? 20 : 8;
};

/**
 * How likely it is that the text of a piece is the name of a person, from 0 to 100, without looking
 * at other pieces.
 */
export const nameScore = (name: string): number => {
  if (name === '' || name.length > 40 || /\d/.test(name)) return 0;
  if (masked.test(name)) return 82;
  if (minority.test(name)) return 84;
  if (latin.test(name)) return name.length >= 2 ? 60 : 5;
  const plain = simplified(name.replace(/[（(][^（）()]{1,10}[）)]$/, ''));
  if (!han.test(plain))
    return /\p{Script=Han}/u.test(name) && name.length <= 12 && !placeEnd.test(plain) ? 22 : 4;
  const length = [...plain].length;
  if (title.test(plain) && length >= 2 && length <= 5)
    return single.has(plain[0]!) || nickname.test(plain) ? 88 : 60;
  const score = hanScore(plain);
  if (placeEnd.test(plain)) return Math.min(score, length <= 3 ? 28 : 6);
  return oddEnd.test(plain) ? score - (length <= 2 ? 12 : 24) : score;
};

/** Matches the end of an address before a name that follows without a separator: 科技园1号|张三. */
const closed = /[号室楼层栋幢座元户村组队店厂园苑城院房厦庄场府区期a-z\d)）\]】]$/i;

/**
 * A name that follows the end of an address without a separator, and its position. Null if it
 * cannot be distinguished from the address.
 */
export const nameAtEnd = (shown: string): { at: number; name: string } | null => {
  const text = shown.slice(-40).replace(receives, '').trimEnd();
  const skipped = Math.max(0, shown.length - 40);
  for (const length of [4, 3, 2, 5]) {
    const at = text.length - length;
    const name = text.slice(at);
    // 厂房|孙七: 房 ends a place name here, although it is also a surname.
    if (
      at < 3 ||
      !closed.test(text.slice(0, at)) ||
      !han.test(name) ||
      /[厂库楼平]房$/.test(text.slice(0, at + 1))
    )
      continue;
    const score = nameScore(name);
    if (score >= 80 && (common.has(firstOf(name)) || double.has(name.slice(0, 2))))
      return { at: at + skipped, name };
  }
  return null;
};

/* Passwords that attackers try first, written from general knowledge for this product, not taken
   from a leaked list. Rules in password.ts find series of digits, letters and keys, repetitions,
   and a word of this list with up to six digits or signs at either end. All words are in lower
   case, because capital letters do not make a common password safer. */
const words = `
zaq12wsx zaq12wsxcde3 password passwort passw0rd p@ssword p@ssw0rd pa$$word pa55word pa55w0rd passwd pass1234 mypassword yourpassword newpassword oldpassword thepassword
password1password passwordpassword passphrase secret topsecret verysecret mysecret secret123secret letmein letmeinnow letmein123please openup
opensesame iamthebest iloveyou iloveu iloveyou2 iloveyoumore iloveyouforever iloveyousomuch ilovemyself ilovemymom ilovemydad ilovemylife
ilovejesus ilovegod ilovemusic ilovechocolate ilovechina ilovefootball iloveyoubaby iloveyou3000 iloveme ihateyou loveyou loveme lovely
loveforever foreverlove forever truelove mylove mylover mylovely onelove sweetheart sweetie honey honeybee honeybunny babygirl babyboy babydoll
princess prince queen king kingkong superman batman spiderman ironman wonderwoman catwoman hulk avengers captainamerica starwars startrek
darthvader skywalker yoda jedi hobbit gandalf legolas harrypotter hogwarts voldemort hermione dumbledore pokemon pikachu charizard naruto sasuke
dragonball goku vegeta onepiece luffy doraemon hellokitty mickeymouse minnie donald snoopy garfield tweety simpsons homer bartsimpson spongebob
welcome welcome1welcome welcomeback welcomehome hello hellohello helloworld hello123hello goodbye goodmorning goodnight goodluck goodday
admin administrator adminadmin admin123admin admin@123 admin123456 admin888 admin8888 admin1234 superadmin superuser sysadmin systemadmin root rootroot toor
rootpassword master masterkey mastermind default defaultpassword changeme changeme123please changeit changethis changepassword pleasechange
temp temporary temppass temppassword temp1234 test testtest test1234 testing tester testuser testpassword guest guestguest guest1234 demo
demodemo demo1234 demopassword sample example user useruser username userpassword login loginlogin loginpassword access accessdenied
system systemsystem server serveradmin database oracle mysql postgres postgresql mariadb mongodb redis kafka docker kubernetes linux ubuntu debian
windows windows10 windows11 microsoft macbook iphone iphone15 ipad android samsung huawei xiaomi oppo nokia google googlechrome facebook instagram
twitter whatsapp wechat weixin tencent alibaba alipay taobao jingdong baidu youtube netflix amazon linkedin snapchat tiktok douyin github gitlab
internet network wireless wifi wifipassword router modem computer keyboard monitor laptop desktop software hardware programmer developer engineer
qwerty qwertyui qwerty1234 qwerty12345 qwerty123456 qwertyqwerty qwe123 qwe123qwe qweasd qweasdzxc qweqweqwe qweasd123 qazwsx qazwsxedc qazwsx123
qazwsxedcrfv qazxsw qazxswedc 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 1qaz@wsx 1qaz!qaz 2wsx3edc 3edc4rfv zaq12wsx zaq1zaq1 zaqxsw zaq1xsw2 1q2w3e 1q2w3e4r
1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i q1w2e3 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qaz123 qaz123wsx a1b2c3 a1b2c3d4 a1b2c3d4e5
a1b2c3d4e5f6 1a2b3c 1a2b3c4d 1a2b3c4d5e asdf asdfasdf asdfghjkl asdf1234 asdfqwer asdfzxcv asd123 asd123456 asdasd asdasdasd zxc123 zxcasd zxcasdqwe
zxczxc zxcvbn zxcvbnm zxcvbnm123 zxcvasdf zxcvasdfqwer qwerasdf qwerasdfzxcv qwer1234 qwer1234qwer 1234qwer 1234qwerasdf 123qwe 123qweasd 123qweasdzxc
123qwe123 123asd 123abc 123abc123 abc123 abc1234 abc12345 abc123456 abc123abc abc123def456 abcd1234 abcd12345 abcd1234abcd abcdefg abcdef123 aabbcc
aabbccdd aa123456 aa12345678 a123456 a12345678 a123456789 a1234567890 as123456 qq123456 qq123456789 ww123456 zz123456 xx123456 ss123456 dd123456
wang123456 zhang123456 li123456 liu123456 chen123456 yang123456 zhao123456 huang123456 zhou123456 wu123456 lin123456 sun123456 wangwei zhangwei
liwei liuwei chenwei wangfang zhangmin liming wangqiang zhanglei liujie xiaoming xiaohong xiaoli xiaowang xiaolong xiaoxiao zhangsan lisi wangwu
woaini woaini520 woaini521 woaini1314 woaini5201314 woaini123 woaiwojia woaiwo woaiziji woaizhongguo woaimama woaibaba woaiwomama woaibeijing woaishanghai
5201314 52013145201314 1314520 13145201314520 520520520 521521521 5201314520 5211314 7758521 7758258 77585217758521 1314521 520131420 5845201314 5845211314 3344520 5203344
nihao nihao123 nihaoma nihaoshijie zhongguo zhonghua beijing beijing2008 shanghai guangzhou shenzhen hangzhou nanjing chengdu chongqing wuhan xian
tianjin suzhou hongkong taiwan taipei macau china china123456 chinese chinaren woshishui woshizhu woshini woshitiancai woshinibaba buzhidao wangjimima wangle
mima mima123 mima123456 mimamima wodemima wode123456 wodemingzi dearbook daohaoqi kuaidi kuaidi123 kuaidi100 shunfeng yuantong zhongtong shentong yunda
jdl jdexpress jd123456 jdwuliu jingdongwuliu wuliu wuliu123 wuliu888 fahuo dingdan yundan wangdian wangdian123 caiwu caiwu123 kefu kefu123 yewu xiaoshou laoban laobanniang
gongsi gongsi123 gongsi888 bangong kaihu zhanghao yonghu yonghuming guanliyuan chaojiguanliyuan ceshi ceshi123 ceshi123456 ceshizhanghao linshi
waystation waystation-demo waystationdemo waystation123456 parcel parcels express express123456 courier shipping shipment logistics delivery deliver station
stationstation warehouse carrier freight cargo tracking waybill label labels order orders customer customers supplier merchant partner clerk cashier
office officeadmin manager director secretary company business finance accounting sales marketing support helpdesk service services operator
sunshine sunflower sunday monday tuesday wednesday thursday friday saturday weekend january february march april may june july august september
october november december spring summer autumn winter summertime springtime wintertime summer2024summer spring2025spring christmas halloween thanksgiving
newyear happynewyear happybirthday birthday holiday vacation family familyforever myfamily mother father mommy daddy mommyanddaddy brother sister
grandma grandpa cousin friend friends bestfriend bestfriends friendship friendsforever buddy husband wife married wedding baby newborn children
michael michelle jennifer jessica jordan jordan23 joshua matthew daniel andrew anthony thomas robert william charlie charles david richard george
joseph christopher nicholas jonathan benjamin samuel alexander alexandra alexandria nicole natalie amanda ashley brittany samantha stephanie
elizabeth victoria veronica vanessa rebecca rachel sarah hannah emily emma olivia sophia isabella abigail madison taylor taylorswift patricia
barbara margaret maria mariana fernanda gabriela carolina valentina sebastian santiago alejandro fernando francisco antonio roberto ricardo
eduardo martin martinez rodriguez gonzalez hernandez garcia lopez sanchez ramirez johnson williams thompson anderson jackson michaeljackson
football footballer baseball basketball volleyball softball soccer hockey tennis golfer golfing swimming running cycling boxing wrestling skiing
skateboard snowboard surfing fishing hunting camping hiking liverpool liverpoolfc manchester manchesterunited manutd manunited mancity chelsea chelseafc
arsenal arsenalfc tottenham barcelona fcbarcelona realmadrid juventus acmilan intermilan bayern bayernmunich ronaldo cristiano ronaldo7 messi messi10
neymar neymarjr beckham maradona pele kobebryant kobe24 lebron lebronjames jordan michaeljordan lakers celtics yankees redsox cowboys steelers
packers patriots eagles broncos raiders dolphins giants ferrari lamborghini porsche mercedes mercedesbenz bmw audi toyota honda nissan mazda subaru
mustang camaro corvette chevrolet chevy ford harley harleydavidson yamaha suzuki kawasaki ducati tesla teslamodel motorcycle racing nascar
dragon dragons dragonfly blackdragon reddragon monkey monkeys tiger tigers tigger lion lions lionking eagle falcon hawk phoenix unicorn unicorns
butterfly butterflies ladybug dolphin shark penguin panda pandabear teddybear polarbear kitten kitty kittycat cat cats dog doggy puppy puppies
bulldog rottweiler horse horses pony chicken duck rabbit bunny hamster turtle snake spider scorpion wolf wolverine wolfpack fox panther leopard
cheetah elephant giraffe zebra buffalo bear mouse dinosaur apple apples banana orange lemon cherry strawberry blueberry pineapple watermelon
mango peaches cookie cookies cupcake chocolate candy candycane sugar vanilla cinnamon pepper ginger coffee coffeecup starbucks tea cocacola pepsi pepsicola
whiskey vodka tequila beer budweiser heineken pizza hamburger cheeseburger cheese bacon mcdonalds noodles dumpling red green blue yellow purple
orange black white silver golden gold diamond diamonds emerald sapphire crystal pearl ruby rainbow rainbows midnight moonlight starlight sunlight
sunrise sunset thunder lightning storm hurricane tornado tsunami blizzard rain snow snowball snowflake snowman winterfell ocean oceans river
mountain island islands paradise heaven angel angels angel123angel darkangel guardianangel lucifer devil demon ghost vampire werewolf zombie
monster killer killer123killer assassin ninja samurai warrior warriors knight wizard witch magic magical mystery shadow shadows darkness nightmare
jesus jesuschrist jesuslovesme christ christian godisgood godislove godbless blessed blessing faith hope grace mercy church prayer heavenly
allah muhammad mohammed krishna buddha buddhist freedom liberty justice peace peaceful happy happiness happyday smile smiley laughter lucky
luckyday lucky7 luckyme jackpot winner winning champion champions victory success successful money moneymoney moneymaker millionaire billionaire
dollar dollars euro cash rich richman whatever whatever1whatever nothing something everything anything nobody somebody everybody anyone noone
trustnoone trustno1 trustme believe believer dreamer dreams sweetdreams beautiful beauty gorgeous handsome sexy sexygirl sexylady hottie hotgirl
biteme fuckyou fuckyou123 fuckoff fuckme motherfucker asshole bitch bullshit pussy dickhead bastard naughty playboy player playerone gamer games
gamergirl gameover minecraft fortnite roblox warcraft worldofwarcraft starcraft diablo overwatch leagueoflegends counterstrike callofduty halo
playstation xbox360 nintendo supermario zelda sonic tetris pacman finalfantasy assassinscreed metallica nirvana slipknot linkinpark greenday
blink182 eminem rihanna beyonce shakira madonna elvis beatles rollingstones ledzeppelin pinkfloyd acdc gunsnroses bonjovi aerosmith bobmarley
guitar guitarist drummer piano violin music musical musiclover singer dancing dancer rockstar rockandroll rocknroll hiphop jazz blues reggae
america american usa england london paris france germany berlin italy italia spain madrid portugal lisboa brazil brasil mexico canada toronto
australia sydney melbourne newyork newyorkcity losangeles california texas florida chicago boston hollywood lasvegas russia moscow ukraine india
mumbai pakistan bangladesh indonesia jakarta malaysia singapore thailand bangkok vietnam hanoi philippines manila japan tokyo osaka korea seoul
egypt cairo africa nigeria lagos kenya nairobi abcabc abcabcabc abc abcd abcde aaaaaa xxxxxx zzzzzz blahblah blahblahblah asdf;lkj lol lollol
lollipop haha hahaha hahahaha xoxoxo yoyoyo nopassword nopass none null undefined unknown anonymous hacker hacked security secure securepassword
private public matrix neo trinity terminator rambo rocky godfather scarface titanic avatar frozen twilight inception gladiator spartacus sparta
spartan spartans trojan trojans viking vikings pirate pirates captain sailor soldier army navy marine marines police firefighter doctor nurse teacher
student students school highschool college university library science biology chemistry physics history mathematics english spanish french german
correcthorsebatterystaple correcthorse batterystaple thisismypassword thisisapassword thisispassword ismypassword mypasswordis mypasswordisweak
idontknow idontcare iforgot iforgotmypassword forgotpassword dontforget donotforget rememberme remember neverforget nevergiveup neversaynever
justdoit letsgo letsrock comeon goaway getout stopit shutup leavemealone onlyme onlyyou onlygod youandme meandyou you&me us4ever 4ever 4everlove
123456a 123456aa 123456ab 123456abc 123456abcd 123456q 123456qq 123456qwe 123456qwerty 123456asd 123456z 123456789a 123456789q 123456789qwe 123456789abc
1234567890a 1234567890q 12345qwert 12345qwerty 12345abcde 12345asdfg 1234abcd 1234asdf 123321 123321123 12344321 1234554321 123454321 123123qwe 123123a
147258369 147258 1472583690 159753 159357 159357456 15975346 741852963 741852 852963 963852741 987412365 9876543210a 789456123 7894561230 789456 456123789
456789123 321654987 987654321a 112233 11223344 1122334455 112233445566 11112222 111222333 111222333444 110110 110119120 119119 12301230 13579 1357924680 2468013579
24681012 246810 1029384756 5678901234 31415926 3141592653 3.14159265 27182818 19491001 19700101 19800101 19900101 20000101 20080808 00000000a 88888888a 66666666a a88888888
a66666666 woaini88 yijiuyisi yiersansi yiersan abc.123456 abc@123456 abc@1234 aa@123456 a@123456 q@123456 p@ss1234 p@ssw0rd1234 pass@123 pass@1234 pass@word1
root@123 root123456 test@123 test123456 user@123 user123456 guest123456 admin@1234 admin@12345 admin#123 admin!@# admin123!@# qwe!@# qwe!@#123 123!@# 123!@#qwe !@#$%^
!@#$%^&* !@#$%^&*( !@#$%^&*() 1!2@3# 1!2@3#4$ 1!2@3#4$5% !qaz2wsx !qaz@wsx !qaz1qaz !qaz@wsx3edc !q2w3e4r zaq!2wsx zaq!xsw@ huawei@123 huawei12#$ h3c@123456 cisco123 ciscocisco
`;

/** Words from the product, its business and its roles, and the names of carriers. */
const contextWords = `
waystation wayst4tion 驿站 驿站waystation superadmin superuser administrator partner station stationadmin clerk operator waybill expressparcel parcel
parcels shipping shipment logistics courier express delivery carrier reseller jdlogistics jdl jdexpress jingdong 京东 京东物流 京东快递 sfexpress shunfeng 顺丰 顺丰速运
kuaidi wuliu 快递 物流 网点 商家 店员 管理员 超级管理员 运单 面单 kuaidiyuan wangdian guanliyuan chaojiguanliyuan
`;

export const commonPasswords: ReadonlySet<string> = new Set(
  `${words} ${contextWords}`.trim().split(/\s+/),
);

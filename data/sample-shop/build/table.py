"""Which rows of the tables are taken, and their words in the other language."""

# Category keys to the path in both languages.
PATHS = {
    "w": ("女装", "Women"), "m": ("男装", "Men"), "u": ("男女同款", "Unisex"), "girls": ("童装", "Kids"),
    "shoes": ("鞋靴", "Shoes"), "bags": ("箱包", "Bags"), "acc": ("配饰", "Accessories"), "fit": ("运动器材", "Fitness Gear"), "home": ("家居生活", "Home"),
    "dress": ("连衣裙", "Dresses"), "coat": ("大衣", "Coats"), "down": ("羽绒服", "Down Jackets"), "jacket": ("夹克外套", "Jackets"),
    "suit": ("西装", "Suits & Blazers"), "shirt": ("衬衫", "Shirts"), "polo": ("Polo 衫", "Polo Shirts"), "tee": ("T 恤", "T-Shirts"), "knit": ("毛衣针织", "Sweaters"),
    "hoodie": ("卫衣", "Hoodies & Sweatshirts"), "tank": ("背心", "Tank Tops"), "bra": ("运动内衣", "Sports Bras"), "pants": ("裤子", "Pants"), "jeans": ("牛仔裤", "Jeans"),
    "shorts": ("短裤", "Shorts"), "leggings": ("紧身裤", "Leggings"), "skirt": ("半身裙", "Skirts"), "jumpsuit": ("连体裤", "Jumpsuits"), "underwear": ("内衣", "Underwear"),
    "heels": ("高跟鞋", "Heels"), "boots": ("靴子", "Boots"), "flats": ("平底鞋", "Flats"), "formal": ("皮鞋", "Formal Shoes"), "sneakers": ("休闲运动鞋", "Sneakers"), "sandals": ("凉鞋", "Sandals"),
    "handbags": ("手提包", "Handbags"), "clutches": ("手拿包", "Clutches"), "crossbody": ("斜挎包", "Crossbody Bags"), "totes": ("托特包", "Totes"), "briefcases": ("公文包", "Briefcases"),
    "backpacks": ("双肩包", "Backpacks"), "duffels": ("旅行包", "Duffel Bags"), "luggage": ("拉杆箱", "Luggage"), "messenger": ("邮差包", "Messenger Bags"),
    "scarves": ("围巾", "Scarves"), "ties": ("领带", "Ties"), "hats": ("帽子", "Hats"), "gloves": ("手套", "Gloves"), "belts": ("皮带", "Belts"), "jewellery": ("首饰", "Jewellery"),
    "umbrellas": ("雨伞", "Umbrellas"), "sunglasses": ("太阳镜", "Sunglasses"), "watches": ("手表", "Watches"), "gear": ("健身器材", "Training Gear"),
    "bedding": ("床品", "Bedding"), "towels": ("毛巾浴巾", "Towels"), "cushions": ("抱枕坐垫", "Cushions"), "kitchen": ("餐厨", "Kitchen"), "lighting": ("灯具", "Lighting"),
    "decor": ("家饰", "Decor"), "furniture": ("家具", "Furniture"), "rugs": ("地毯", "Rugs"), "curtains": ("窗帘", "Curtains"), "pets": ("宠物", "Pets"), "stationery": ("文具", "Stationery"),
    "mugs": ("杯壶", "Mugs & Bottles"), "food": ("糕点", "Pastry"),
}

COLOUR_ZH = {
    "Red": "红色", "Wine": "酒红色", "Maroon": "栗红色", "Burgundy": "勃艮第红", "Pink": "粉色", "Rose": "玫瑰粉", "Magenta": "玫红色", "Coral": "珊瑚色", "Peach": "蜜桃色", "Orange": "橙色", "Rust": "铁锈红",
    "Mustard": "姜黄色", "Yellow": "黄色", "Gold": "金色", "Khaki": "卡其色", "Camel": "驼色", "Beige": "米色", "Cream": "奶油色", "Ivory": "象牙白", "Off White": "米白色", "White": "白色", "Brown": "棕色", "Coffee Brown": "咖啡色",
    "Tan": "黄棕色", "Olive": "橄榄绿", "Green": "绿色", "Dark Green": "墨绿色", "Mint": "薄荷绿", "Teal": "蓝绿色", "Turquoise Blue": "绿松石蓝", "Blue": "蓝色", "Light Blue": "浅蓝色", "Sky Blue": "天蓝色", "Navy Blue": "藏青色",
    "Purple": "紫色", "Lavender": "浅紫色", "Mauve": "藕紫色", "Grey": "灰色", "Light Grey": "浅灰色", "Charcoal": "炭灰色", "Black": "黑色", "Silver": "银色", "Bronze": "古铜色", "Copper": "红铜色", "Multi": "多色", "Natural": "原色",
    "Wood": "原木色", "Denim": "牛仔蓝", "Light Denim": "浅牛仔蓝", "Dark Denim": "深牛仔蓝", "Skin": "肤色", "Nude": "裸色", "Steel": "钢色",
}

# What the Luma photo shows where the table's name of the colour says something else.
LUMA_SHOWN = {
    "mp09-blue": "Charcoal", "mp12-blue": "Charcoal", "ms02-gray": "White", "ms07-green": "Grey", "mt01-gray": "Teal", "wp01-white": "Light Grey", "wp04-blue": "Light Grey",
    "wj09-blue": "Green", "wj09-green": "Mint", "wp13-orange": "Pink", "ws12-orange": "Coral", "ms01-brown": "Beige", "mh04-green": "Mint", "ws11-green": "Teal", "wp11-green": "Teal",
    "mh02-purple": "Lavender", "mp01-purple": "Lavender", "msh04-purple": "Lavender", "mh13-lavender": "Lavender", "ms02-blue": "Teal", "ms05-blue": "Teal", "wh02-blue": "Teal", "wh04-blue": "Teal",
    "mh13-blue": "Teal", "mh09-blue": "Teal", "mj09-blue": "Teal", "ws02-blue": "Teal", "wp06-blue": "Teal", "wsh11-blue": "Teal", "wp07-blue": "Teal", "mj01-red": "Pink", "mj02-red": "Pink", "mh05-red": "Pink",
    "ms04-red": "Coral", "wt03-red": "Pink", "mt09-blue": "Blue", "wp05-red": "Pink", "wsh11-red": "Pink", "wsh12-red": "Coral", "wp02-red": "Coral", "wsh01-red": "Coral", "wj03-red": "Pink", "ws10-red": "Pink",
    "wsh04-black": "Black & Mint", "wsh04-green": "Black & Green", "wsh04-orange": "Black & Orange", "wsh05-blue": "Navy Blue & Blue", "wsh05-purple": "Navy Blue & Purple", "wsh05-yellow": "Navy Blue & Yellow",
    "wsh10-orange": "Black & Orange", "wsh10-white": "Black & White", "wsh09-white": "Charcoal & White", "msh12-gray": "Light Grey", "wj01-blue": "Teal",
}

# Kaggle table: article type to (category, Chinese noun, drawing, price span in yuan, sizes), and how many rows are taken for whom.
TOP, FOOT_W, FOOT_M = "S M L XL", "36 37 38 39", "40 41 42 43"
KAGGLE = {
    "Dresses": ("w/dress", "连衣裙", None, (199, 899), TOP, {"Women": 24}),
    "Jackets": ("jacket", "外套", ("coat", dict(length="short", zip_=True)), (299, 899), TOP, {"Women": 6, "Men": 4}),
    "Blazers": ("suit", "西装外套", ("blazer", dict()), (499, 1299), TOP, {"Women": 2, "Men": 3}),
    "Sweaters": ("knit", "毛衣", ("top", dict(kind="sweater", sleeves=3)), (169, 499), TOP, {"Women": 4, "Men": 3}),
    "Shirts": ("shirt", "衬衫", ("top", dict(kind="shirt", sleeves=3)), (149, 399), TOP, {"Men": 6}),
    "Tops": ("shirt", "上衣", ("top", dict(kind="tee", sleeves=1, fitted=True)), (99, 299), TOP, {"Women": 5}),
    "Formal Shoes": ("shoes/formal", "正装皮鞋", ("shoe", dict(kind="oxford")), (299, 899), FOOT_M, {"Men": 5}),
    "Heels": ("shoes/heels", "高跟鞋", ("shoe", dict(kind="pump")), (199, 599), FOOT_W, {"Women": 7}),
    "Flats": ("shoes/flats", "平底鞋", ("shoe", dict(kind="flat")), (129, 359), FOOT_W, {"Women": 3}),
    "Casual Shoes": ("shoes/sneakers", "休闲鞋", ("shoe", dict(kind="canvas")), (199, 559), FOOT_M, {"Men": 4}),
    "Sports Shoes": ("shoes/sneakers", "运动鞋", ("shoe", dict(kind="running")), (259, 759), FOOT_M, {"Men": 2, "Women": 2}),
    "Handbags": ("bags/handbags", "手提包", ("bag", dict(kind="handbag")), (199, 799), "", {"Women": 7}),
    "Clutches": ("bags/clutches", "手拿包", ("bag", dict(kind="clutch")), (99, 399), "", {"Women": 4}),
    "Backpacks": ("bags/backpacks", "双肩包", ("bag", dict(kind="backpack")), (129, 459), "", {"Unisex": 3}),
    "Wallets": ("bags/clutches", "钱包", ("bag", dict(kind="wallet")), (99, 359), "", {"Men": 3}),
    "Trousers": ("pants", "长裤", ("pants", dict(crease=True)), (169, 459), TOP, {"Men": 5, "Women": 3}),
    "Jeans": ("jeans", "牛仔裤", ("pants", dict(jeans=True)), (199, 559), TOP, {"Men": 3, "Women": 4}),
    "Skirts": ("w/skirt", "半身裙", ("skirt", dict()), (129, 359), TOP, {"Women": 5}),
    "Jumpsuit": ("w/jumpsuit", "连体裤", ("jumpsuit", dict()), (259, 559), TOP, {"Women": 2}),
    "Ties": ("acc/ties", "领带", ("accessory", dict(kind="tie")), (89, 259), "", {"Men": 4}),
    "Scarves": ("acc/scarves", "围巾", ("accessory", dict(kind="scarf")), (89, 299), "", {"Women": 3, "Men": 2}),
    "Belts": ("acc/belts", "皮带", ("accessory", dict(kind="belt")), (99, 299), "", {"Men": 2, "Women": 1}),
    "Caps": ("acc/hats", "棒球帽", ("accessory", dict(kind="cap")), (59, 199), "", {"Unisex": 3}),
    "Sunglasses": ("acc/sunglasses", "太阳镜", ("accessory", dict(kind="sunglasses")), (159, 899), "", {"Men": 2, "Women": 2}),
    "Watches": ("acc/watches", "手表", ("accessory", dict(kind="watch")), (299, 1899), "", {"Men": 3, "Women": 3}),
}
GENDER_ZH = {"Women": "女士", "Men": "男士", "Unisex": ""}
# Words of a product name that say how the cloth looks: English, Chinese, pattern of the drawing.
LOOKS = [
    ("Polka Dot", "波点", "dots"), ("Floral", "碎花", "floral"), ("Striped", "条纹", "stripes"), ("Stripes", "条纹", "stripes"), ("Stripe", "条纹", "stripes"), ("Check", "格纹", "check"), ("Printed", "印花", "floral"),
    ("Patterned", "提花", "stripes"), ("Knitted", "针织", "knit"), ("Lacy", "蕾丝", "lace"), ("Silk", "真丝", None), ("A-Line", "A 字", None), ("Sheath", "修身", None), ("Formal", "正装", None), ("Leather", "皮质", None), ("Washed", "水洗", None),
    ("Fleece", "抓绒", None), ("Hooded", "连帽", None), ("Sleeveless", "无袖", None), ("Weave", "编织", None), ("Reversible", "双面", None), ("Puff Sleeve", "泡泡袖", None), ("Digital", "数显", None), ("Chronograph", "计时", None),
]

# Dresses are taken by id, for their colours and occasions.
KAGGLE_DRESSES = "48467 46277 57057 57059 25908 41571 37198 39217 33199 18736 59994 43511 48466 57041 59966 59984 59986 18897 36750 48525 39716 43302 13472 34581 43510".split()

# litemall goods: id, English title, English text, category, drawing, colour.
GOODS = [
    ("1006002", "Embroidered Washed Cotton Bedding Set", "A four-piece set in pure cotton with fine embroidery.", "bedding", "bedding", "Ivory"),
    ("1006007", "Thick Australian Wool Quilt", "Warm Australian wool for autumn and winter.", "bedding", "quilt", "White"),
    ("1006013", "Mulberry Silk Summer Quilt", "First-grade mulberry silk that breathes.", "bedding", "quilt", "Cream"),
    ("1009009", "White Goose Down Winter Quilt", "One quilt for the whole winter.", "bedding", "quilt", "Off White"),
    ("1009012", "Washable Microfibre Pillow", "Very fine fibres, light and springy.", "bedding", "pillow", "White"),
    ("1019000", "Contoured Memory Foam Neck Pillow", "For people who sleep on their side.", "bedding", "pillow", "Light Grey"),
    ("1010000", "Thick Pure Wool Throw", "Pure wool, thick and warm.", "bedding", "blanket", "Camel"),
    ("1030006", "Yarn-Dyed Check Cotton Bedding Set", "A woven check with texture on both sides.", "bedding", "bedding", "Blue"),
    ("1127038", "Cotton Bedding Set, Midnight Blue", "A deep, quiet blue in pure cotton.", "bedding", "bedding", "Navy Blue"),
    ("1151013", "Cotton Bedding Set, Rouge Pink", "A soft, lively pink in pure cotton.", "bedding", "bedding", "Pink"),
    ("1006051", "Extra-Soft Towel", "Softest cotton; half a million sold.", "towels", "towel", "White"),
    ("1021001", "Egyptian Cotton Bath Towel", "Large and thick long-staple cotton.", "towels", "towel", "Beige"),
    ("1128011", "Pastel Gauze Bath Towel", "Gauze on one side, dries at once.", "towels", "towel", "Pink"),
    ("1015007", "Embroidered Cotton Cushion", "American style, embroidered in wool.", "cushions", "cushion", "Cream"),
    ("1057036", "Washed Linen Cushion", "Plain linen that breathes.", "cushions", "cushion", "Grey"),
    ("1138001", "Embroidered Zigzag Cushion", "Fine raised embroidery in a Nordic zigzag.", "cushions", "cushion", "Mustard"),
    ("1072000", "Hand-Knit Cable Cushion Cover", "Knitted by hand for an old warmth.", "cushions", "cushion", "Ivory"),
    ("1030001", "Handmade Wool Rug 160 × 230", "Hand-woven in India, plain and easy to match.", "rugs", "rug", "Grey"),
    ("1147047", "Geometric Rug, Blue and Pink", "Triangles in fine pile.", "rugs", "rug", "Blue"),
    ("1025005", "Cast Iron Enamel Casserole", "Cast iron that holds its heat.", "kitchen", "pot", "Red"),
    ("1038004", "Macaron Enamel Casserole", "Even heat in a soft colour.", "kitchen", "pot", "Mint"),
    ("1051000", "Diamond-Coated Wok 30 cm", "A safe coating, little smoke.", "kitchen", "pan", "Charcoal"),
    ("1073008", "Cast Iron Steak Pan", "Drains the oil and crisps the outside.", "kitchen", "pan", "Black"),
    ("1064021", "Adjustable Wood Table Lamp", "Wood and iron, adjustable throughout.", "lighting", "lamp", "Off White"),
    ("1086015", "Nordic Straight Table Lamp", "Nordic colours, plain lines.", "lighting", "lamp", "Mustard"),
    ("1109004", "Plain Wall Clock", "Minimal and easy to read.", "decor", "clock", "Wood"),
    ("1065004", "Wooden Standing Mirror", "Flowing lines, plain wood.", "decor", "mirror", "Wood"),
    ("1083010", "Preserved Flowers", "Preserved flowers in soft pink.", "decor", "vase", "Pink"),
    ("1110002", "Quiet Desk Fan", "Small, strong and quiet.", "decor", "fan", "Sky Blue"),
    ("1097007", "White Oak Round Table", "Solid North American white oak.", "furniture", "table", "Wood"),
    ("1097005", "White Oak Dining Chairs (pair)", "A classic shape that follows the body.", "furniture", "chair", "Beige"),
    ("1097013", "White Oak Chest of Drawers", "A classic that keeps things in order.", "furniture", "cabinet", "Wood"),
    ("1109008", "Cloud Sofa", "A deep, soft sofa in off-white.", "furniture", "sofa", "Off White"),
    ("1135052", "Plain Linen-Look Curtains", "Japanese minimalism with a linen hand.", "curtains", "curtain", "Grey"),
    ("1064003", "Pumpkin Pet Bed", "A soft hexagonal home for a small pet.", "pets", "petbed", "Navy Blue"),
    ("1039056", "Matte Metal Fountain Pen", "A hidden iridium nib that writes smoothly.", "stationery", "pen", "Black"),
    ("1127047", "Pastel Notebook", "A notebook in pastel colours.", "stationery", "notebook", "Mint"),
    ("1111007", "Assorted Cookie Gift Box 520 g", "Six flavours, crisp and fragrant.", "food", "cookies", "Mint"),
]

# Shops with photos of their own: id, image(s) by colour, category, gender, zh title, en title, zh, en, price, sizes, materials, seasons, usage.
PHOTOS = [
    ("saleor-128", "saleor", {"Blue": ["product_alpha/saleor_blue-plimsolls-2.png", "product_alpha/saleor_blue-plimsolls-1.png"]}, "shoes/sneakers", "unisex", "蓝色印花一脚蹬帆布鞋", "Blue Plimsolls", "一脚蹬设计，蓝白印花，夏天出门省事又显眼。", "Slip-on canvas shoes in a blue and white print; step into summer.", 299, "36 37 38 39 40 41 42 43", "Canvas", "spring,summer", "Casual"),
    ("saleor-127", "saleor", {"White": ["product_alpha/saleor_white-plimsolls-2.png"]}, "shoes/sneakers", "unisex", "白色一脚蹬帆布鞋", "White Plimsolls", "干净白色，软底轻便，上课逛街都合适。", "Clean white slip-ons with a soft sole.", 299, "36 37 38 39 40 41 42 43", "Canvas", "spring,summer", "Casual"),
    ("saleor-129", "saleor", {"White": ["product_alpha/saleor_dash-force-1.png"]}, "shoes/sneakers", "unisex", "撞色低帮运动鞋 Dash Force", "Dash Force Sneakers", "蓝白撞色鞋面，缓震鞋底，走跑都稳。", "Blue on white with a cushioned sole, steady on every step.", 459, "38 39 40 41 42 43", "Leather,Rubber", "spring,summer,autumn", "Casual,Sports"),
    ("saleor-132", "saleor", {"Blue": ["product_alpha/saleor_blue-hoodie.png"], "White": ["product_alpha/saleor_white-hoodie.png"]}, "u/hoodie", "unisex", "印花连帽卫衣", "Logo Hoodie", "加厚棉感面料，抽绳帽，男女同款。", "A thick cotton hoodie with a drawstring, for everyone.", 279, "S M L XL", "Cotton", "spring,autumn", "Casual"),
    ("saleor-137", "saleor", {"Blue": ["product_alpha/saleor_blue-polygon-tee-front.png"]}, "u/tee", "unisex", "几何印花 T 恤", "Blue Polygon Shirt", "多边形暗纹印花，柔软纯棉，日常百搭。", "A polygon print on soft cotton.", 129, "S M L XL", "Cotton", "summer", "Casual"),
    ("saleor-141", "saleor", {"Blue": ["product_alpha/saleor_beanie-1.png"]}, "acc/hats", "unisex", "蓝色翻边针织帽", "Pirate's Beanie", "翻边针织，弹力贴合，冬天骑车不冻耳。", "A cuffed knit beanie that keeps your ears warm on a winter ride.", 99, "", "Acrylic", "winter", "Casual"),
    ("saleor-144", "saleor", {"White": ["product_alpha/saleor_sunnies.png"]}, "acc/sunglasses", "unisex", "白框蓝片太阳镜", "DRY Sunglasses", "白色圆框配蓝色镜片，复古醒目，防紫外线。", "Round white frames with blue UV lenses.", 199, "", "Acetate", "summer", "Casual"),
    ("saleor-151", "saleor", {"Blue": ["product_alpha/saleor_cushion-blue.png"]}, "home/cushions", None, "蓝色几何抱枕", "The Dash Cushion", "蓝白几何线条，给沙发添一笔亮色。", "Blue and white lines for a plain sofa.", 119, "", "Cotton", "", ""),
    ("saleor-150", "saleor", {"Navy Blue": ["product_alpha/saleor_mighty-mug.png"]}, "home/mugs", None, "藏青色陶瓷马克杯", "Mighty Mug", "深色釉面，大把手好握，早晚各一杯。", "Dark glaze and a big handle.", 69, "", "Ceramic", "", ""),
    ("solidus-bottles", "solidus", {"White": ["product_alpha/solidus_bottles_1.png"]}, "home/mugs", None, "便携金属水壶", "Metal Water Bottle", "旋盖提手，冷热都能装。", "A screw lid with a handle, for hot and cold.", 89, "", "Steel", "", "Sports"),
    ("solidus-cap", "solidus", {"Red": ["product_alpha/solidus_cap_red_1.png"]}, "acc/hats", "unisex", "红色平沿棒球帽", "Red Snapback Cap", "平沿硬挺，后扣可调。", "A firm flat brim and an adjustable back.", 99, "", "Cotton", "", "Casual"),
    ("solidus-hoodie", "solidus", {"Red": ["product_alpha/solidus_hoodie_red_1.png"]}, "u/hoodie", "unisex", "红色连帽卫衣", "Red Hoodie", "红色醒目，内里绒面，帽子厚实。", "Bright red with a brushed inside and a heavy hood.", 259, "S M L XL", "Cotton,Polyester", "autumn,winter", "Casual"),
    ("solidus-mugs", "solidus", {"Multi": ["product_alpha/solidus_mug_set.png"]}, "home/mugs", None, "红黑对杯套装", "Mug Set", "一红一黑两只装，送礼自用都好。", "Two mugs, one red and one black.", 109, "", "Ceramic", "", ""),
    ("solidus-notebook", "solidus", {"Red": ["product_alpha/solidus_notebook.png"]}, "home/stationery", None, "红色硬面笔记本", "Red Hardcover Notebook", "硬面装订，摊开平整好书写。", "Hard covers that open flat.", 49, "", "Paper", "", ""),
    ("solidus-tote", "solidus", {"Red": ["product_alpha/solidus_tote.png"]}, "bags/totes", "unisex", "红色帆布托特包", "Red Canvas Tote", "加厚帆布，肩背手提都行。", "Thick canvas for the shoulder or the hand.", 89, "", "Canvas", "", "Casual"),
    ("solidus-tee", "solidus", {"Black": ["product_alpha/solidus_tshirt.png"]}, "u/tee", "unisex", "黑色印标 T 恤", "Black Logo Tee", "基础黑 T，胸前小标，怎么搭都不出错。", "A plain black tee with a small mark on the chest.", 99, "S M L XL", "Cotton", "summer", "Casual"),
    ("sylius-cap-1", "sylius", {"Wine": ["product_in_scene/sylius_caps_cap_01.jpg"]}, "acc/hats", "women", "酒红色毛球针织帽", "Wine Pom-Pom Knit Hat", "粗针编织配毛球，戴上就有冬天的样子。", "Chunky knit with a pom-pom.", 99, "", "Wool,Acrylic", "winter", "Casual"),
    ("sylius-cap-3", "sylius", {"White": ["product_in_scene/sylius_caps_cap_03.jpg"]}, "acc/hats", "women", "白色毛球针织帽", "White Pom-Pom Knit Hat", "奶白粗针，护耳保暖，雪天拍照好看。", "Milk-white chunky knit, warm over the ears.", 99, "", "Wool,Acrylic", "winter", "Casual"),
    ("sylius-dress-1", "sylius", {"Grey": ["product_in_scene/sylius_dresses_dress_01.jpg"]}, "w/dress", "women", "灰色荷叶边吊带裙", "Grey Ruffled Sundress", "抽褶上身配层层荷叶边，海边散步最好看。", "A smocked top and ruffles, made for walking by the sea.", 269, "S M L", "Cotton", "summer", "Casual"),
    ("sylius-dress-2", "sylius", {"White": ["product_in_scene/sylius_dresses_dress_02.jpg"]}, "w/dress", "women", "白色露肩荷叶边连衣裙", "White Off-Shoulder Ruffle Dress", "一字露肩，荷叶层叠，夏日婚礼花园都合适。", "Off the shoulder with layered ruffles, for gardens and summer weddings.", 329, "S M L", "Cotton", "summer", "Casual,Party"),
    ("sylius-dress-3", "sylius", {"Red": ["product_in_scene/sylius_dresses_dress_03.jpg"]}, "w/dress", "women", "红色碎点荷叶边裹身裙", "Red Dotted Wrap Dress with Ruffles", "裹身系带，荷叶边下摆，走起路来很有生气。", "A wrap tie and a ruffled hem that moves.", 299, "S M L XL", "Viscose", "spring,summer", "Casual"),
    ("sylius-jeans-m1", "sylius", {"Light Denim": ["product_in_scene/sylius_jeans_man_jeans_01.jpg"]}, "m/jeans", "men", "男士浅蓝修身牛仔裤", "Men's Light Slim Jeans", "浅水洗修身，裤脚可卷，配小白鞋正好。", "Light wash, slim, to roll above white sneakers.", 289, "M L XL XXL", "Cotton,Spandex", "spring,autumn", "Casual"),
    ("sylius-jeans-w2", "sylius", {"Charcoal": ["product_in_scene/sylius_jeans_woman_jeans_02.jpg"]}, "w/jeans", "women", "女士徽章男友风牛仔裤", "Women's Patched Boyfriend Jeans", "布章点缀，宽松不挑腿型。", "Patches on a relaxed boyfriend cut.", 309, "S M L XL", "Cotton", "spring,autumn", "Casual"),
    ("sylius-jeans-w4", "sylius", {"Light Denim": ["product_in_scene/sylius_jeans_woman_jeans_04.jpg"]}, "w/jeans", "women", "女士破洞浅蓝牛仔裤", "Women's Ripped Light Jeans", "膝盖破洞做旧，夏天也凉快。", "Ripped knees and a faded wash.", 279, "S M L XL", "Cotton", "spring,summer", "Casual"),
    ("sylius-tee-m1", "sylius", {"White": ["product_in_scene/sylius_t-shirts_man_t-shirt_01.jpg"]}, "m/tee", "men", "男士纯白圆领 T 恤", "Men's Plain White Tee", "一件合身的白 T，春夏都离不开。", "One white tee that fits.", 99, "M L XL XXL", "Cotton", "spring,summer", "Casual"),
    ("sylius-tee-m2", "sylius", {"Charcoal": ["product_in_scene/sylius_t-shirts_man_t-shirt_02.jpg"]}, "m/tee", "men", "男士插肩拼色 T 恤", "Men's Raglan Tee", "深灰衣身配黑色插肩袖，运动感十足。", "A charcoal body with black raglan sleeves.", 119, "M L XL XXL", "Cotton", "spring,summer", "Casual"),
    ("sylius-tee-w1", "sylius", {"White": ["product_in_scene/sylius_t-shirts_woman_t-shirt_01.jpg"]}, "w/tee", "women", "女士白色宽松 T 恤", "Women's Relaxed White Tee", "略宽松，下摆可打结，配牛仔裤最自在。", "Relaxed, to knot over jeans.", 99, "S M L XL", "Cotton", "spring,summer", "Casual"),
    ("sylius-tee-w3", "sylius", {"Rust": ["product_in_scene/sylius_t-shirts_woman_t-shirt_03.jpg"]}, "w/tee", "women", "女士铁锈红修身 T 恤", "Women's Rust Fitted Tee", "显白的铁锈红，修身短款。", "A flattering rust in a fitted cut.", 109, "S M L XL", "Cotton,Spandex", "spring,summer", "Casual"),
]

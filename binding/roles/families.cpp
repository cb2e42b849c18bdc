#include "binding/roles/families.h"

#include <array>

#include "core/text.h"

namespace reanima::roles {

namespace {

#define REANIMA_HIK_LIMBS                                                                                     \
    "@shoulder=Shoulder @arm=UpperArm @forearm=LowerArm @hand=Hand @upleg=UpperLeg @leg=LowerLeg @foot=Foot " \
    "@toebase=Toes @handthumb1=Thumb0 @handthumb2=Thumb1 @handthumb3=Thumb2 @handindex1=Index0 "              \
    "@handindex2=Index1 @handindex3=Index2 @handmiddle1=Middle0 @handmiddle2=Middle1 @handmiddle3=Middle2 "   \
    "@handring1=Ring0 @handring2=Ring1 @handring3=Ring2 @handpinky1=Little0 @handpinky2=Little1 "             \
    "@handpinky3=Little2 neck=neck neck1=neck neck2=neck head=head hips=hips "
#define REANIMA_FINGERS(front, thumb, index, middle, ring, little, digit, after)                              \
    front thumb digit "1" after "=Thumb0 " front thumb digit "2" after "=Thumb1 " front thumb digit "3" after \
                      "=Thumb2 " front index digit "1" after "=Index0 " front index digit "2" after           \
                      "=Index1 " front index digit "3" after "=Index2 " front middle digit "1" after          \
                      "=Middle0 " front middle digit "2" after "=Middle1 " front middle digit "3" after       \
                      "=Middle2 " front ring digit "1" after "=Ring0 " front ring digit "2" after             \
                      "=Ring1 " front ring digit "3" after "=Ring2 " front little digit "1" after             \
                      "=Little0 " front little digit "2" after "=Little1 " front little digit "3" after "=Little2 "
#define REANIMA_BIPED                                                                                        \
    "pelvis=hips spine=spine spine1=spine spine2=spine spine3=spine spine4=spine spine5=spine spine6=spine " \
    "neck=neck neck1=neck neck2=neck head=head head1=head %clavicle=Shoulder %upperarm=UpperArm "            \
    "%forearm=LowerArm %hand=Hand %thigh=UpperLeg %calf=LowerLeg %foot=Foot %toe0=Toes %finger0=Thumb0 "     \
    "%finger01=Thumb1 %finger02=Thumb2 %finger1=Index0 %finger11=Index1 %finger12=Index2 %finger2=Middle0 "  \
    "%finger21=Middle1 %finger22=Middle2 %finger3=Ring0 %finger31=Ring1 %finger32=Ring2 %finger4=Little0 "   \
    "%finger41=Little1 %finger42=Little2 footsteps=helper "
#define REANIMA_UE_LIMBS                                                                                         \
    "pelvis=hips spine01=spine spine02=spine spine03=spine spine04=spine spine05=spine neck01=neck neck02=neck " \
    "head=head clavicle%=Shoulder upperarm%=UpperArm lowerarm%=LowerArm hand%=Hand thigh%=UpperLeg "             \
    "calf%=LowerLeg foot%=Foot ball%=Toes !root=ground " REANIMA_FINGERS("", "thumb", "index", "middle", "ring", \
                                                                         "pinky", "0", "%")
#define REANIMA_HUMANOID_LIMBS                                                                                   \
    "@shoulder=Shoulder @upperarm=UpperArm @lowerarm=LowerArm @hand=Hand @upperleg=UpperLeg @lowerleg=LowerLeg " \
    "@foot=Foot @toes=Toes neck=neck head=head "

constexpr std::array<Family, 21> kFamilies = {{
    {"VRoid", "jbipchips jbiplupperarm jbiplupperleg",
     "!root=ground !global=ground !position=ground jbipchips=hips jbipcspine=spine jbipcchest=spine "
     "jbipcupperchest=spine jbipcneck=neck jbipchead=head jbip%shoulder=Shoulder jbip%upperarm=UpperArm "
     "jbip%lowerarm=LowerArm jbip%hand=Hand jbip%upperleg=UpperLeg jbip%lowerleg=LowerLeg jbip%foot=Foot "
     "jbip%toebase=Toes " REANIMA_FINGERS("jbip%", "thumb", "index", "middle", "ring", "little", "", "")},
    {"Character Creator", "hip waist spine01 lthigh lcalf lupperarm lforearm",
     "boneroot=ground hip=hips waist=spine spine01=spine spine02=spine necktwist01=neck necktwist02=neck head=head "
     "%clavicle=Shoulder %upperarm=UpperArm %forearm=LowerArm %hand=Hand %thigh=UpperLeg %calf=LowerLeg %foot=Foot "
     "%toebase=Toes pelvis=helper " REANIMA_FINGERS("%", "thumb", "index", "mid", "ring", "pinky", "", "")},
    {"3ds Max Biped", "pelvis lthigh lcalf lupperarm lforearm", REANIMA_BIPED "=helper"},
    {"Unreal Engine 5", "pelvis spine01 spine05 claviclel upperarml lowerarml thighl calfl", REANIMA_UE_LIMBS},
    {"Unreal Engine", "pelvis spine01 claviclel upperarml lowerarml thighl calfl", REANIMA_UE_LIMBS},
    {"Rigify", "spine spine001 upperarml forearml shinl thighl",
     "!root=ground spine=hips spine001=spine spine002=spine spine003=spine spine004=neck spine005=neck spine006=head "
     "neck=neck head=head shoulder%=Shoulder upperarm%=UpperArm forearm%=LowerArm hand%=Hand thigh%=UpperLeg "
     "shin%=LowerLeg foot%=Foot toe%=Toes " REANIMA_FINGERS("", "thumb", "findex", "fmiddle", "fring", "fpinky", "0",
                                                            "%")},
    {"MakeHuman", "spine05 upperarm01l lowerarm01l upperleg01l lowerleg01l wristl",
     "root=hips spine05=spine spine04=spine spine03=spine spine02=spine spine01=spine neck01=neck neck02=neck "
     "neck03=neck head=head clavicle%=Shoulder upperarm01%=UpperArm lowerarm01%=LowerArm wrist%=Hand "
     "upperleg01%=UpperLeg lowerleg01%=LowerLeg foot%=Foot toe11%=Toes toe21%=Toes toe31%=Toes toe41%=Toes "
     "toe51%=Toes shoulder01%=helper pelvis%=helper " REANIMA_FINGERS("finger", "1", "2", "3", "4", "5", "", "%")},
    {"Daz Genesis 3 or 8", "hip abdomenlower lshldrbend lthighbend",
     "genesis3female=ground genesis3male=ground genesis8female=ground genesis8male=ground hip=hips pelvis=helper "
     "abdomenlower=spine abdomenupper=spine chestlower=spine chestupper=spine necklower=neck neckupper=neck head=head "
     "%collar=Shoulder %shldrbend=UpperArm %forearmbend=LowerArm %hand=Hand %thighbend=UpperLeg %shin=LowerLeg "
     "%foot=Foot %toe=Toes " REANIMA_FINGERS("%", "thumb", "index", "mid", "ring", "pinky", "", "")},
    {"Daz Genesis", "hip abdomen lshldr lforearm lthigh lshin",
     "hip=hips pelvis=helper abdomen=spine abdomen2=spine chest=spine neck=neck head=head %collar=Shoulder "
     "%shldr=UpperArm %forearm=LowerArm %hand=Hand %thigh=UpperLeg %shin=LowerLeg %foot=Foot "
     "%toe=Toes " REANIMA_FINGERS("%", "thumb", "index", "mid", "ring", "pinky", "", "")},
    {"Daz Genesis 9", "hip spine1 lupperarm lforearm lthigh lshin",
     "genesis9=ground hip=hips pelvis=helper spine1=spine spine2=spine spine3=spine spine4=spine neck1=neck neck2=neck "
     "head=head %shoulder=Shoulder %upperarm=UpperArm %forearm=LowerArm %hand=Hand %thigh=UpperLeg %shin=LowerLeg "
     "%foot=Foot %toes=Toes " REANIMA_FINGERS("%", "thumb", "index", "mid", "ring", "pinky", "", "")},
    {"Auto-Rig Pro", "rootx spine01x forearmstretchl",
     "ctraj=ground cpos=ground rootx=hips spine01x=spine spine02x=spine spine03x=spine spine04x=spine neckx=neck "
     "headx=head shoulder%=Shoulder carmtwistoffset%=UpperArm armtwist%=UpperArm forearmstretch%=LowerArm hand%=Hand "
     "thightwist%=UpperLeg legstretch%=LowerLeg foot%=Foot toes01%=Toes cthumb1%=Thumb0 cthumb2%=Thumb1 "
     "cthumb3%=Thumb2 cindex1%=Index0 cindex2%=Index1 cindex3%=Index2 cmiddle1%=Middle0 cmiddle2%=Middle1 "
     "cmiddle3%=Middle2 cring1%=Ring0 cring2%=Ring1 cring3%=Ring2 cpinky1%=Little0 cpinky2%=Little1 "
     "cpinky3%=Little2 " REANIMA_FINGERS("", "thumb", "index", "middle", "ring", "pinky", "", "%")},
    {"Roblox R15", "lowertorso uppertorso leftupperarm leftlowerarm leftupperleg",
     "!root=ground humanoidrootnode=helper humanoidrootpart=helper lowertorso=hips "
     "uppertorso=spine " REANIMA_HUMANOID_LIMBS},
    {"Xsens", "pelvis l5 t8 leftupperarm leftforearm leftupperleg",
     "pelvis=hips l5=spine l3=spine t12=spine t8=spine neck=neck head=head @shoulder=Shoulder @upperarm=UpperArm "
     "@forearm=LowerArm @hand=Hand @upperleg=UpperLeg @lowerleg=LowerLeg @foot=Foot @toe=Toes "},
    {"SMPL", "pelvis lknee lankle lcollar lelbow",
     "pelvis=hips spine1=spine spine2=spine spine3=spine neck=neck head=head %collar=Shoulder %shoulder=UpperArm "
     "%elbow=LowerArm %wrist=Hand %hip=UpperLeg %knee=LowerLeg %ankle=Foot %foot=Toes jaw=jaw "},
    {"Synty", "hips claviclel shoulderl elbowl upperlegl lowerlegl anklel",
     "!root=ground hips=hips spine01=spine spine02=spine spine03=spine neck=neck head=head clavicle%=Shoulder "
     "shoulder%=UpperArm elbow%=LowerArm hand%=Hand upperleg%=UpperLeg lowerleg%=LowerLeg ankle%=Foot ball%=Toes "
     "toes%=end thumb01%=Thumb0 thumb02%=Thumb1 thumb03%=Thumb2 indexfinger01%=Index0 indexfinger02%=Index1 "
     "indexfinger03%=Index2 finger01%=Middle0 finger02%=Middle1 finger03%=Middle2 "},
    {"MikuMikuDance", "上半身 下半身 左足 左ひざ 左腕 左ひじ",
     "!全ての親=ground センター=helper グルーブ=helper 腰=hips 下半身=helper 上半身=spine 上半身2=spine 上半身２=spine "
     "首=neck 頭=head $肩=Shoulder $腕=UpperArm $ひじ=LowerArm $手首=Hand $足=UpperLeg $ひざ=LowerLeg $足首=Foot "
     "$つま先=Toes $親指０=Thumb0 $親指１=Thumb1 $親指２=Thumb2 $人指１=Index0 $人指２=Index1 $人指３=Index2 "
     "$中指１=Middle0 $中指２=Middle1 $中指３=Middle2 $薬指１=Ring0 $薬指２=Ring1 $薬指３=Ring2 $小指１=Little0 "
     "$小指２=Little1 $小指３=Little2 "},
    {"CMU motion capture", "hips lowerback leftupleg leftforearm",
     REANIMA_HIK_LIMBS "lowerback=spine spine=spine spine1=spine %hipjoint=helper %thumb=Thumb0 @fingerbase=helper "
                       "%fingers=Middle0 "},
    {"BVH", "hips leftcollar leftshoulder leftelbow lefthip leftknee leftankle",
     "hips=hips hip=hips ab=spine abdomen=spine spine=spine chest=spine chest2=spine chest3=spine chest4=spine "
     "neck=neck head=head @collar=Shoulder @shoulder=UpperArm @elbow=LowerArm @wrist=Hand @hip=UpperLeg "
     "@knee=LowerLeg @ankle=Foot @toe=Toes @toes=Toes "},
    {"HumanIK", "reference hips leftupleg leftleg leftarm leftforearm",
     "reference=ground spine=spine spine1=spine spine2=spine spine3=spine spine4=spine spine5=spine spine6=spine "
     "spine7=spine spine8=spine spine9=spine " REANIMA_HIK_LIMBS},
    {"Mixamo", "hips leftupleg leftleg leftarm leftforearm",
     "spine=spine spine1=spine spine2=spine spine3=spine " REANIMA_HIK_LIMBS},
    {"humanoid", "hips spine leftupperarm leftlowerarm leftupperleg leftlowerleg",
     "!root=ground hips=hips spine=spine chest=spine upperchest=spine jaw=jaw @eye=Eye " REANIMA_HUMANOID_LIMBS
     "@thumbmetacarpal=Thumb0 @thumbproximal=ThumbP @thumbintermediate=Thumb1 @thumbdistal=Thumb2 "
     "@indexproximal=Index0 @indexintermediate=Index1 @indexdistal=Index2 @middleproximal=Middle0 "
     "@middleintermediate=Middle1 @middledistal=Middle2 @ringproximal=Ring0 @ringintermediate=Ring1 @ringdistal=Ring2 "
     "@littleproximal=Little0 @littleintermediate=Little1 @littledistal=Little2 "},
}};

}  // namespace

std::span<const Family> families() { return kFamilies; }

std::string plainName(std::string_view name) {
    const std::size_t space = name.find_last_of(":|");
    if (space != std::string_view::npos && space + 1 < name.size())
        name.remove_prefix(space + 1);
    std::string plain;
    for (const char c : name)
        if (c != ' ' && c != '_' && c != '.' && c != '-')
            plain += core::lowerCase(c);
    return plain;
}

}  // namespace reanima::roles

import { age, type DemoNews } from './news-types.ts'

/** Guides of the demo world, written by staff for players (type 1). */
export const newsGuides: DemoNews[] = [
  {
    subject: 'First night on campus: level 1 to 20 in one sitting',
    type: 1,
    author: 'GM Alon',
    ageMinutes: age(0, 4, 6),
    picture: 3,
    showPicture: true,
    html: `
<p>You need about three hours, a drink, and nobody who asks when dinner is. This is how most of us would do it again.</p>
<h2>Level 1 to 5: the front yard</h2>
<ol>
<li>Talk to the guard at the gate. Take his errand, even if it sounds silly. It gives your first weapon.</li>
<li>Drag your first skill into the skill quick slot and use it with <strong>F1</strong>. Put food into the item quick slot.</li>
<li>Clear the yard until level 5. Pick up everything; you can look at it later with <strong>I</strong>.</li>
</ol>
<h2>Level 5 to 12: second floor hallway</h2>
<ol>
<li>Open the map with <strong>M</strong>, click the stairs, go up.</li>
<li>Hallway ghosts come in groups of three. Fight beside a door, so that only two can reach you.</li>
<li>At level 8 go back to your teacher for the second and third skill. Put them on F2 and F3.</li>
</ol>
<h2>Level 12 to 20: library basement</h2>
<ol>
<li>Do not go alone. Read the free chat first: somebody is nearly always looking for one more. A party search message costs 20,000 gold, which you do not have yet.</li>
<li>Four people are ideal, one of them a shaman or extreme. Thank them.</li>
<li>At 18 you can ride. Borrow before you buy.</li>
</ol>
<p>At level 20 the rooftop door opens for you. Go up and look around once without fighting. For the classes, see the <a href="/characters">class guide</a>; for every window, the <a href="/instructions">full game guide</a>.</p>`,
  },
  {
    subject: 'Shaman or extreme: which kind of support are you',
    type: 1,
    author: 'GM Alon',
    ageMinutes: age(4, 2),
    picture: 3,
    showPicture: true,
    html: `
<p>Two of the nine classes can bring people back, and both are on the <a href="/rankings">resu board</a>. They feel quite different to play.</p>
<table>
<thead><tr><th></th><th>Shaman</th><th>Extreme (support)</th></tr></thead>
<tbody>
<tr><td>Stands</td><td>Behind everybody</td><td>In the middle of it</td></tr>
<tr><td>Heals</td><td>One person, much</td><td>The whole party, little by little</td></tr>
<tr><td>Resurrection</td><td>3.4 s, from far away</td><td>2.0 s, must stand beside the fallen</td></tr>
<tr><td>Alone</td><td>Slow until level 30</td><td>Fine from the start</td></tr>
<tr><td>Typical mistake</td><td>Standing still</td><td>Forgetting to heal</td></tr>
</tbody>
</table>
<h2>Choose shaman if</h2>
<ul>
<li>you look at the party bars more than at the enemy,</li>
<li>you like one right decision more than ten quick ones,</li>
<li>you have friends to level with for the first thirty levels.</li>
</ul>
<h2>Choose extreme if</h2>
<ul>
<li>you want to fight too, and switch to support when it gets serious,</li>
<li>you often play alone for an hour and in a party for the next,</li>
<li>waiting for a cast bar makes you nervous.</li>
</ul>
<p>For both: put resurrection on <strong>F4</strong> and nothing else beside it that you press in panic. And write in party chat whom you are raising. Two healers on the same person is how whole parties fall.</p>`,
  },
  {
    subject: 'Laggy tonight? Six things to try before blaming the rain',
    type: 1,
    author: 'GM Barako',
    ageMinutes: age(7, 7),
    picture: 9,
    showPicture: true,
    html: `
<p>Sometimes it is us, and then we say so on the front page. Here is what helps on your side, sorted by how often it was the answer in tickets.</p>
<ol>
<li><strong>Use the cable.</strong> The game asks for broadband by cable for a reason. Through two concrete walls, Wifi loses one packet in ten, and each of those is a hit you did not land.</li>
<li><strong>Stop the uploads.</strong> A phone that backs up its photos fills the whole upward line. Look at every phone in the house, also your mother's.</li>
<li><strong>Run one client.</strong> The requirements on the <a href="/download">download page</a> are for one. Two clients on 2 GB of memory will both stutter.</li>
<li><strong>Turn shadows off, then weather.</strong> In the graphics window, these two cost more than everything else together. Leave the view distance; you want to see who is coming.</li>
<li><strong>Change the channel.</strong> The list shows how full each one is. Below half, the Old Market is a different place. Channels 7 and 8 open at nine.</li>
<li><strong>Restart the router before a club war,</strong> not during. It sounds like superstition. It works.</li>
</ol>
<h2>Still bad?</h2>
<p>Write down your town, provider, the hour and the number in the corner of the screen (the response time in ms) at three moments of one evening, and <a href="/ticket">send us a ticket</a>. With ten of those from one provider we can call them and be taken seriously.</p>`,
  },
  {
    subject: 'Quick slots F1 to F4: a layout you will not regret',
    type: 1,
    author: 'GM Alon',
    ageMinutes: age(11, 5),
    picture: 8,
    showPicture: true,
    html: `
<p>You have four skill quick slots, F1 to F4, and one habit for the rest of your life. Choose well on the first evening and your fingers will find the right key when your head does not.</p>
<h2>The rule</h2>
<table>
<thead><tr><th>Key</th><th>What belongs there</th></tr></thead>
<tbody>
<tr><td>F1</td><td>What you press most: the short attack</td></tr>
<tr><td>F2</td><td>What starts a fight: the pull, the dash, the first shot</td></tr>
<tr><td>F3</td><td>What stops an enemy: stun, slow, wall, trap</td></tr>
<tr><td>F4</td><td>What saves somebody: block, heal, resurrection, escape</td></tr>
</tbody>
</table>
<h2>How to set it up</h2>
<ol>
<li>Open your skill window and drag the skill onto the slot. To remove one, drag it out into the open.</li>
<li>Put food and potions into the item quick slot, never into the skill slots.</li>
<li>Go to the yard and use each key twenty times without looking down.</li>
<li>Change one key at a time, at most one per evening.</li>
</ol>
<h2>By class</h2>
<ul>
<li>Archer, gunner: F3 is your distance. No slow yet? Leave F3 empty rather than filling it with something else.</li>
<li>Brawler, swordsman: F2 is the dash, also for running away.</li>
<li>Shaman, extreme: resurrection on F4, always.</li>
</ul>
<p>The picture with all nine regions of the interface is in the <a href="/instructions">instructions</a>.</p>`,
  },
  {
    subject: 'The map (key M): reading it without standing still',
    type: 1,
    author: 'GM Alon',
    ageMinutes: age(15, 6),
    picture: 7,
    showPicture: true,
    html: `
<p>New players open the map, stop, and are hit from behind. You can keep walking: the map is half transparent, and your character goes on in the direction you last gave.</p>
<h2>What the marks mean</h2>
<ul>
<li><strong>Yellow lamp</strong>: stairs or a door to another map.</li>
<li><strong>White dot</strong>: a party member. Hollow means they have fallen.</li>
<li><strong>School crest</strong>: teacher, locker and shop of that school. Only your own school's locker opens for you.</li>
<li><strong>Small rope</strong>: the border of a club area. Behind it the area's tax applies.</li>
<li><strong>Grey cross</strong>: where you died last. It disappears after ten minutes.</li>
</ul>
<h2>Five habits</h2>
<ol>
<li>Press <strong>M</strong> at the door, before you go through, and close it on the other side.</li>
<li>Click a lamp to get a line on the ground. It shows the shortest way, not the safest.</li>
<li>Hold the right mouse button to move the map, turn the wheel to enlarge it.</li>
<li>Leaders: double-click to set a mark that the whole party sees.</li>
<li>Learn the three ways to the rooftop by heart. At 8 PM on an event day one of them is always blocked by a carabao.</li>
</ol>
<p>All schools and the areas between them are on the large world map of the <a href="/story">story page</a>.</p>`,
  },
  {
    subject: 'Gold: where it comes from and where it leaks away',
    type: 1,
    author: 'GM Alon',
    ageMinutes: age(20, 3),
    picture: null,
    showPicture: false,
    html: `
<p>You are poor at level 40 not because you earn too little. You are poor because of six small holes. I was too.</p>
<h2>The holes</h2>
<ul>
<li><strong>Regional chat, 10,000 gold a message.</strong> Ten jokes are a new pair of gloves.</li>
<li><strong>Party search, 20,000 a message, once every 2 minutes.</strong> Write it once, well: what, where, whom you need. Then wait.</li>
<li><strong>Repairing everything at once.</strong> Weapons yes. Boots can go down to a third.</li>
<li><strong>Potions from the vendor.</strong> Cooked food heals the same for half.</li>
<li><strong>Area tax.</strong> Look at the club table on the <a href="/">home page</a> before you choose a place for your stall.</li>
<li><strong>Enhancing in anger.</strong> Two failures, then go to bed.</li>
</ul>
<h2>The springs</h2>
<table>
<thead><tr><th>Level</th><th>Place</th><th>About per hour</th></tr></thead>
<tbody>
<tr><td>15 to 25</td><td>Library basement, old lamps</td><td>90,000</td></tr>
<tr><td>30 to 45</td><td>Flooded quad, fish and handles</td><td>240,000</td></tr>
<tr><td>50 to 70</td><td>Boiler room, copper</td><td>520,000</td></tr>
<tr><td>70 and up</td><td>Rooftop at night, in a party</td><td>1,100,000</td></tr>
</tbody>
</table>
<p>Sell lamps and copper on a weekday evening, buy on Sunday morning. And never carry all of it through a map where duels are open. The <a href="/rankings">richest board</a> only counts what you carry, but so do the assassins.</p>`,
  },
  {
    subject: 'Chat channels: who hears you, and what it costs',
    type: 1,
    author: 'Ate Dalisay',
    ageMinutes: age(27, 4),
    picture: 4,
    showPicture: true,
    html: `
<p>Before you press Enter, look at the small word in front of the line in the chat window: it tells you who is going to hear you.</p>
<table>
<thead><tr><th>Channel</th><th>Heard by</th><th>Cost per message</th></tr></thead>
<tbody>
<tr><td>Normal</td><td>Everyone near you</td><td>free</td></tr>
<tr><td>Whisper</td><td>One person</td><td>free</td></tr>
<tr><td>Party</td><td>Your party</td><td>free</td></tr>
<tr><td>Club</td><td>Your club</td><td>free</td></tr>
<tr><td>Regional</td><td>The whole region</td><td>10,000 gold</td></tr>
<tr><td>Party search</td><td>Everyone looking for a party</td><td>20,000 gold, once every 2 minutes</td></tr>
</tbody>
</table>
<h2>Manners that cost nothing</h2>
<ul>
<li>Regional chat is for things that matter to strangers: a field boss, a found locker key, a big sale.</li>
<li>A good search line: <em>LFM boiler room, lv 50 to 60, need 1 shaman, ch 4</em>. LFM means looking for more.</li>
<li>Any language of the islands is welcome. If someone asks for English or Filipino, switch. They want to understand you.</li>
<li>If somebody is rude, right-click the name and choose mute. It lasts until you lift it.</li>
</ul>
<p>A campus megaphone from the <a href="/itemshop">item shop</a> replaces the gold for ten regional messages. It does not replace having something to say.</p>`,
  },
  {
    subject: 'Choosing a school: what changes and what does not',
    type: 1,
    author: 'GM Bituin',
    ageMinutes: age(36, 7),
    picture: 7,
    showPicture: true,
    html: `
<p>People ask which school is the strongest. None. All nine classes exist in all three, with the same skills and the same numbers. What changes is where you come home to.</p>
<h2>Sacred Gate</h2>
<p>The oldest building, arches and a courtyard with blue tiles. Discipline on the outside, the best gossip inside. Short way to the Covered Court. Choose it if you like order, morning bells and winning by preparation.</p>
<h2>Mystic Peak</h2>
<p>Terraces on the hillside, mist until nine, a library with a basement nobody has finished. Short way to the Sky Bridge. Choose it if you like quiet people who turn out to be very funny.</p>
<h2>Phoenix</h2>
<p>Burned twice, rebuilt twice, painted red both times. Workshops, a loud canteen, the Old Market at its back door. Choose it if you like to begin before the plan is ready.</p>
<h2>What really depends on it</h2>
<ul>
<li>Your locker, your teacher and your starting yard.</li>
<li>Your colour and crest in the <a href="/rankings">rankings</a>, where every board has a school filter.</li>
<li>School events: points, hymns, who washes the dishes.</li>
</ul>
<p>Parties, clubs and friendships cross all borders. You cannot change schools later without giving up your rank of the month, so visit all three with a level 1 character first. It takes an hour. The longer version is in <a href="/story">the story</a>.</p>`,
  },
  {
    subject: 'Shortcut type A or B, mouse type A or B: how to choose',
    type: 1,
    author: 'GM Alon',
    ageMinutes: age(52, 4),
    picture: 8,
    showPicture: true,
    html: `
<p>In the options there are two sets of shortcut keys and two ways to use the mouse, both called type A and type B. Nobody reads that page, and then somebody plays for a year with the wrong one.</p>
<h2>Try them like shoes</h2>
<ol>
<li>Open the <a href="/instructions">instructions</a> beside the game. Regions eight and nine of the picture show the full key table and both mouse types.</li>
<li>Play one evening with shortcut type A and mouse type A. That is what you start with.</li>
<li>The next evening change <strong>only the mouse</strong> to B. Keep the keys.</li>
<li>On the third evening change the keys to B and put the mouse back where it felt better.</li>
<li>Choose, and leave it for a month.</li>
</ol>
<h2>What to watch for</h2>
<ul>
<li>Do you turn the camera by accident while fighting? Then the other mouse type is yours.</li>
<li>On a laptop without a number block, look at the key table first. Some keys sit badly under the left hand.</li>
<li>F1 to F4, I for the inventory and M for the map are the same in both types.</li>
<li>The setting belongs to the character, not to the account. Your second character starts with A again.</li>
</ul>
<p>Playing in computer shops? Stay with what the machine has. You will be faster with the second-best layout than with five minutes of setting up.</p>`,
  },
  {
    subject: 'MMR for beginners: what the number knows about you',
    type: 1,
    author: 'GM Sinag',
    ageMinutes: age(73, 6),
    picture: 10,
    showPicture: true,
    html: `
<p>MMR is the number the duel board uses to find somebody who is about as good as you. Everyone begins at 1,000. It is not a school mark, and it does not go down because you sleep.</p>
<h2>How it moves</h2>
<table>
<thead><tr><th>You meet</th><th>You win</th><th>You lose</th></tr></thead>
<tbody>
<tr><td>Someone 200 below you</td><td>+6</td><td>-20</td></tr>
<tr><td>Someone equal</td><td>+13</td><td>-13</td></tr>
<tr><td>Someone 200 above you</td><td>+20</td><td>-6</td></tr>
</tbody>
</table>
<p>Your first twenty duels count double, so the number looks wild in the first week. Ignore it until then.</p>
<h2>Three ways to raise it honestly</h2>
<ol>
<li>Fight the same class on purpose for one evening. You learn what it cannot do.</li>
<li>After a loss, ask one question. Most people answer, and the good ones answer at length.</li>
<li>Stop after three losses in a row. The fourth is always the same mistake.</li>
</ol>
<h2>And one way that does not work</h2>
<p>Trading wins with a friend. From the fifth duel against the same person on one day, nothing counts.</p>
<p>The monthly board shows the rating as it stands, with the top 100 of each school and class: see <a href="/rankings">rankings</a>, tab mmr.</p>`,
  },
  {
    subject: 'How to start a club in one weekend',
    type: 1,
    author: 'GM Sinag',
    ageMinutes: age(98, 3),
    picture: 6,
    showPicture: true,
    html: `
<p>The clubs that last were not founded by the strongest players. They were founded by somebody who remembered names. If that is you, here is the weekend.</p>
<h2>Friday evening: three people</h2>
<ul>
<li>You need a level 30 leader, two more founders and 300,000 gold.</li>
<li>Register at the guard house. The name can have up to 16 characters; the same <em>naming rules</em> apply as for characters.</li>
<li>Write two sentences for the notice: when you are usually online, and what you do then. Leave out <em>friendly and active</em>. Everybody writes that.</li>
</ul>
<h2>Saturday: ten people</h2>
<ul>
<li>Run the library basement all afternoon with an open party. Invite those who stayed until the end.</li>
<li>One search message an hour is enough. It costs 20,000 gold and annoys fewer people.</li>
<li>Make one other person an officer today. A club with one boss sleeps when the boss does.</li>
</ul>
<h2>Sunday: a reason to come back</h2>
<ul>
<li>Fix one hour a week. Same day, same channel, also when only four come.</li>
<li>Watch the next club war from the rope, together.</li>
<li>Eight members of level 40 are enough to sign up for one area.</li>
</ul>
<p>Owners and taxes of the three areas are on the <a href="/">home page</a>. Start with the area nobody wants. It is a good area.</p>`,
  },
  {
    subject: 'Keep your account yours: ten minutes of work',
    type: 1,
    author: 'Ate Dalisay',
    ageMinutes: age(125, 5),
    picture: null,
    showPicture: false,
    html: `
<p>I answer the tickets of people who lost an account. It is the saddest part of the desk, and nearly all of it can be avoided in ten minutes.</p>
<ol>
<li><strong>A password only for us.</strong> 5 to 20 characters. Three words with a number between them are easy to keep and hard to guess. Set it under <a href="/changepassword">Change Password</a>.</li>
<li><strong>Your secret answer.</strong> You are asked for it before the password changes. Choose a question whose answer is not on your profile page. A made-up answer is fine if you can remember it.</li>
<li><strong>The second password</strong> for lockers and big trades. You set it in <a href="/user">My Account</a>.</li>
<li><strong>An e-mail address you can open.</strong> Both the ID reminder and the reset link go there. The link works once and for 30 minutes.</li>
<li><strong>Only your own places.</strong> The game lets you in from whitelisted connections. Add the ones you use, not those of friends you play with once.</li>
</ol>
<h2>If it happens anyway</h2>
<ul>
<li>Change the password from your phone, at once. Every session ends with it.</li>
<li>If you cannot log in, use <a href="/findaccount">Find account</a>. After ten wrong passwords the ID is locked for a while. Wait; it opens again by itself.</li>
<li>Then <a href="/ticket">write to us</a>. We can see which connections were used.</li>
</ul>
<p>And once more for everyone in the last row: staff never ask for your password.</p>`,
  },
  {
    subject: 'R-Coin and Milleage: redeem, earn, spend',
    type: 1,
    author: 'Ate Dalisay',
    ageMinutes: age(170, 3),
    picture: null,
    showPicture: false,
    html: `
<p>Two purses, two marks in the shop, and one question we get every day. R-Coin comes from a code. Milleage comes from playing.</p>
<h2>Redeeming a code</h2>
<ol>
<li>Log in, then open <a href="/topup">Top Up R-Coin</a>. The same form is on your account page.</li>
<li>Type the voucher code exactly as printed, dashes included. Codes are case-sensitive and issued in capitals; the field shows capitals too.</li>
<li>If a streamer sent you, put their referral code in the second field. If it is unknown, nothing is redeemed, so you can simply correct it.</li>
<li>Press the button. The new balance appears in the side panel, and the code in your <a href="/topuphistory">redeem history</a>.</li>
</ol>
<p>Every code works <strong>once</strong>, for one account. Do not post a photo of it. After ten wrong tries in a quarter of an hour the form rests; that is against guessing, not against you.</p>
<h2>Earning Milleage</h2>
<ul>
<li>60 for every full hour of playing from level 10, up to 300 a day.</li>
<li>Events, ranking rewards and some errands add to it.</li>
</ul>
<h2>Spending</h2>
<p>In the <a href="/itemshop">item shop</a> each item has one price in one of the two. In the <a href="/shoppingcart">cart</a> you can tick what you want to buy now; both totals are shown. Either all ticked lines are bought or none. They arrive in your school locker within a minute or two.</p>`,
  },
  {
    subject: 'Writing a ticket that we can answer the same day',
    type: 1,
    author: 'Ate Dalisay',
    ageMinutes: age(193, 4),
    picture: null,
    showPicture: false,
    html: `
<p>We are four people and about sixty tickets a day. The ones that are solved before dinner look alike. This is what they have.</p>
<h2>Five lines are enough</h2>
<ol>
<li><strong>Who:</strong> your user ID and the character's name.</li>
<li><strong>Where:</strong> channel and map, or the page of this website.</li>
<li><strong>When:</strong> day and time as exactly as you can. <em>Tuesday, about 9:40 PM</em> is perfect. <em>Kanina</em> is not, because we read it tomorrow.</li>
<li><strong>What happened,</strong> and what you had expected.</li>
<li><strong>What you have tried.</strong> Then we do not ask you to restart.</li>
</ol>
<h2>What we never need</h2>
<ul>
<li>Your password, second password or secret answer.</li>
<li>The full code of an unused voucher. The first four characters are plenty.</li>
<li>Five tickets about the same thing. A new one puts you at the end of the line again.</li>
</ul>
<h2>After sending</h2>
<p>You see the state under <a href="/checkticket">Check My Ticket</a>: received, being looked at, answered. Lost items and locked accounts come first, wishes and praise last, but we do read them. A good one is pinned above the rice cooker.</p>
<p>Start here: <a href="/ticket">Submit a ticket</a>. If you are not sure whether it is a bug, send it. Half of the time you are right.</p>`,
  },
]

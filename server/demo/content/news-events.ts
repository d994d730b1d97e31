import { age, type DemoNews } from './news-types.ts'

/** Events of the demo world: rules, dates and results (type 2). */
export const newsEvents: DemoNews[] = [
  {
    subject: 'Foundation Week: seven nights on the rooftop',
    type: 2,
    author: 'GM Sinag',
    ageMinutes: 61,
    picture: 2,
    showPicture: true,
    html: `
<p>The oldest bell on campus rings tonight at eight. For seven nights the rooftop above the three schools is open to everybody, with lamps on the wires and music from a radio nobody can find.</p>
<p><strong>Double experience on the rooftop, every night from 8:00 to 11:00 PM, Manila time.</strong> Each night has its own hour:</p>
<table>
<thead><tr><th>Night</th><th>9:00 PM</th><th>Prize</th></tr></thead>
<tbody>
<tr><td>1</td><td>Bell ringing and opening fight against the night guard</td><td>Foundation lanyard for all</td></tr>
<tr><td>2</td><td>Relay through all three schools, teams of four</td><td>400 Milleage each</td></tr>
<tr><td>3</td><td>Healers' night: resu counts double for prizes</td><td>300 Milleage for 50 resu</td></tr>
<tr><td>4</td><td>Duel ladder, one round, level 60 and up</td><td>Batch 26 hoodie</td></tr>
<tr><td>5</td><td>Costume parade, voted by those present</td><td>1,000 R-Coin</td></tr>
<tr><td>6</td><td>Club war in the three areas</td><td>The areas</td></tr>
<tr><td>7</td><td>Fireworks and photo of the whole server</td><td>A place in the picture</td></tr>
</tbody>
</table>
<h2>Good to know</h2>
<ul>
<li>The stairs are behind the canteen of each school. Press M and look for the lamp.</li>
<li>No fighting between players on the rooftop except on night 4.</li>
<li>Your school gets one point for each of its members in the final photo. Last year Phoenix won by three.</li>
</ul>`,
  },
  {
    subject: 'Club war this Saturday: sign up by Friday, noon',
    type: 2,
    author: 'GM Sinag',
    ageMinutes: age(2, 3),
    picture: 6,
    showPicture: true,
    html: `
<p>Three areas, no owner, one evening. The first war under the new rules starts <strong>this Saturday at 9:00 PM</strong> and lasts one hour.</p>
<h2>To take part</h2>
<ol>
<li>Your club has at least eight members of level 40 or more.</li>
<li>The club leader signs up at the guard house, on any channel, by Friday at 12:00 noon. The fee is 500,000 gold.</li>
<li>The leader names one area: Covered Court, Old Market or Sky Bridge. You can fight for one only.</li>
</ol>
<h2>How an area is won</h2>
<ul>
<li>There is one banner pole in each area. Whoever raises the banner holds it.</li>
<li>Each full minute with your banner up gives one point. After 60 minutes the most points win.</li>
<li>Resurrections by a shaman or extreme of your club give a quarter point each. Bring your healers.</li>
<li>If two clubs are level on points, the one with fewer deaths wins.</li>
</ul>
<h2>Rules</h2>
<ul>
<li>24 fighters per club inside the area at the same time. The rest may wait at the rope.</li>
<li>Charms, food and timed bonuses rest inside the areas.</li>
<li>A lost connection is not a death.</li>
</ul>
<p>The owners and their tax are shown on the <a href="/">home page</a> on Sunday morning.</p>`,
  },
  {
    subject: 'Last trip: double Milleage on Friday and Saturday night',
    type: 2,
    author: 'GM Sinag',
    ageMinutes: age(4, 5),
    picture: null,
    showPicture: false,
    html: `
<p>The last jeepney leaves the terminal at ten. Whoever is aboard at that hour knows the feeling: shoes off, one more stop, one more level.</p>
<p><strong>This Friday and Saturday from 10:00 PM to 1:00 AM you earn double Milleage</strong>, 120 for every full hour instead of 60. The daily limit of 300 is lifted to 600 on both days.</p>
<h2>How to ride</h2>
<ol>
<li>Be online on any channel at level 10 or higher.</li>
<li>Play. Standing in the waiting shed with the window minimised does not count; after ten minutes without a fight, a trade or a word in chat the meter stops.</li>
<li>At the end of each full hour the Milleage is added to your balance. You see it in the side panel when you reload the site.</li>
</ol>
<h2>The route</h2>
<p>On both nights a jeepney drives through all the maps, from the gate to the Old Market and back. It stops for one minute at each terminal. Those who ride the whole loop, which takes 42 minutes, find a jeepney token in their locker on Sunday. It opens nothing. It is just nice to have.</p>
<p>Ideas for spending: the food shelf and the school gear of the <a href="/itemshop">item shop</a> take Milleage.</p>`,
  },
  {
    subject: 'Screenshot contest: the emptiest hallway wins',
    type: 2,
    author: 'GM Bituin',
    ageMinutes: age(6, 8),
    picture: 2,
    showPicture: true,
    html: `
<p>Everyone photographs bosses. We would like to see the opposite: our campus when nobody is looking. Four in the morning, a lamp that flickers, rain on the other side of the window.</p>
<h2>What to send</h2>
<ul>
<li>One screenshot per account, taken this week, at least 1024 × 768.</li>
<li>No characters in the picture. Shadows and wet footprints are allowed, even welcome.</li>
<li>Interface hidden. No filters, no added text. Cropping is fine.</li>
<li>A title of at most six words.</li>
</ul>
<p>Send it with a <a href="/ticket">ticket</a>, subject <em>hallway</em>, until next Sunday at 11:59 PM.</p>
<h2>Prizes</h2>
<table>
<thead><tr><th>Place</th><th>Prize</th></tr></thead>
<tbody>
<tr><td>1</td><td>2,000 R-Coin and the picture becomes a wallpaper</td></tr>
<tr><td>2 and 3</td><td>1,000 R-Coin</td></tr>
<tr><td>4 to 10</td><td>500 Milleage</td></tr>
</tbody>
</table>
<p>Three judges, one from each school, look at the pictures without names. All that fit the rules go into the <a href="/gallery">gallery</a> with your credit.</p>
<p>A small hint from someone who has walked every floor: nobody ever looks at the music room.</p>`,
  },
  {
    subject: 'Parol night: bring two lamps and a friend',
    type: 2,
    author: 'GM Sinag',
    ageMinutes: age(9, 4),
    picture: 5,
    showPicture: true,
    html: `
<p>On Sunday at 8:00 PM we build lanterns in the courtyard between the three schools. It is the quietest event of the year, and the one people still talk about in the next.</p>
<h2>What you need</h2>
<ul>
<li>Two old lamps. They drop from the hallway ghosts on the second floor, about one in thirty.</li>
<li>Five sheets of paper and one bamboo stick. Both are sold for a few gold by Aling Sela in the Old Market.</li>
<li>A friend from <em>another</em> school. The frame has to be held by two people with different badges.</li>
</ul>
<h2>What happens</h2>
<ol>
<li>8:00 PM: tables are set up, staff help with the first frames.</li>
<li>8:45 PM: lanterns are hung on the wires. Every pair gets a place.</li>
<li>9:00 PM: all street lamps on the map go out for ten minutes.</li>
<li>9:10 PM: one lantern is drawn by lot. Its two builders choose the colour of the school bell lamp for a month.</li>
</ol>
<p>Every pair receives a capiz parol charm each, for 30 days. No ranking, no losers. If you come alone, stand at the fountain; someone from another school is standing there too, and just as shy.</p>`,
  },
  {
    subject: 'Rain sale at the co-op: twenty percent off',
    type: 2,
    author: 'GM Sinag',
    ageMinutes: age(13, 2),
    picture: 9,
    showPicture: true,
    html: `
<p>When it rains the co-op is full of people who do not want to buy anything, they only want the roof. So we made it worth their while: <strong>as long as it rains on the rooftop, selected things are 20 percent cheaper.</strong></p>
<h2>How it works</h2>
<ul>
<li>Items with the ribbon <em>-20%</em> in the <a href="/itemshop">item shop</a> already show the lower price. What you see is what you pay.</li>
<li>The sale lasts until the end of the month. After that the ribbon and the price go back.</li>
<li>Some items are paid with R-Coin, others with Milleage. The little mark beside the price tells you which.</li>
</ul>
<h2>And outside the shop</h2>
<p>During rain, which is about twenty minutes in every two hours, three things change on all maps:</p>
<ol>
<li>Water spirits appear in the flooded quad. They drop umbrella handles.</li>
<li>Fire skills of every class are 5 percent weaker, ice skills 5 percent stronger. This is for atmosphere more than for mathematics.</li>
<li>Ten umbrella handles can be traded with the janitor for one umbrella for two, good for 15 days.</li>
</ol>
<p>You can carry the umbrella together with anyone. The one who stands on the left holds it. That is how it was programmed and we are not going to change it.</p>`,
  },
  {
    subject: "Brawlers' cup: results, and a word on the final",
    type: 2,
    author: 'GM Sinag',
    ageMinutes: age(18, 4),
    picture: 10,
    showPicture: true,
    html: `
<p>Sixty-four brawlers, one ring on the Covered Court, no weapons, no charms. It took four hours and twenty minutes, and at the end the whole stand was silent for a moment before it shouted.</p>
<table>
<thead><tr><th>Place</th><th>School</th><th>Rounds won</th><th>Prize</th></tr></thead>
<tbody>
<tr><td>1</td><td>Phoenix</td><td>12</td><td>5,000 Milleage, the belt for one month</td></tr>
<tr><td>2</td><td>Sacred Gate</td><td>11</td><td>3,000 Milleage</td></tr>
<tr><td>3</td><td>Phoenix</td><td>9</td><td>1,500 Milleage</td></tr>
<tr><td>4</td><td>Mystic Peak</td><td>8</td><td>1,500 Milleage</td></tr>
</tbody>
</table>
<h2>About the final</h2>
<p>In the third round the loser's connection broke for six seconds. The winner stepped back to the rope, put both fists down and waited. There is no rule for this. We watched the recording twice and could only find good manners.</p>
<p>For that, the audience voted both of them a pair of covered court gloves in gold, and the rule book now has a page with exactly that behaviour on it.</p>
<h2>Next</h2>
<p>In four weeks it is the archers' turn, from the two ends of the Sky Bridge. Wind included. Sign-ups open on Monday at the guard house. See all boards on the <a href="/rankings">rankings page</a>.</p>`,
  },
  {
    subject: 'Top 100: what the month pays, and where to find it',
    type: 2,
    author: 'GM Bituin',
    ageMinutes: age(24, 1),
    picture: 10,
    showPicture: true,
    html: `
<p>On the second day of every month, at noon, the parcels for the month before are in the lockers. If you stood in the top 100 of any board when it closed at midnight, look into the locker of your own school.</p>
<table>
<thead><tr><th>Rank</th><th>Reward on each board</th></tr></thead>
<tbody>
<tr><td>1</td><td>Name in gold for one month, 3,000 Milleage</td></tr>
<tr><td>2 and 3</td><td>Name in silver, 2,000 Milleage</td></tr>
<tr><td>4 to 10</td><td>1,000 Milleage</td></tr>
<tr><td>11 to 50</td><td>400 Milleage, five champorado</td></tr>
<tr><td>51 to 100</td><td>200 Milleage, three champorado</td></tr>
</tbody>
</table>
<h2>Questions we always get</h2>
<ul>
<li><strong>I was on two boards.</strong> You get both.</li>
<li><strong>I was number 101.</strong> We saw it. It was one kill. Courage.</li>
<li><strong>I changed my name.</strong> The reward follows the character, not the name.</li>
<li><strong>My reward is not there.</strong> Rewards wait 30 days in the locker of the school in which you stood on the last day. If it is not there, <a href="/ticket">write to us</a>.</li>
</ul>
<p>Resu and kills are counted anew from the first day of the month, for everyone. The first week is therefore the best one to get on a <a href="/rankings">list</a>, and the last night is the loudest.</p>`,
  },
  {
    subject: 'Hide and seek with the night guard',
    type: 2,
    author: 'GM Sinag',
    ageMinutes: age(32, 6),
    picture: 2,
    showPicture: true,
    html: `
<p>He has a flashlight, a whistle and thirty years of experience. You have fifteen minutes. On Thursday at 9:30 PM the night guard of Sacred Gate looks for you, and he starts counting at the front door.</p>
<h2>Rules</h2>
<ol>
<li>Gather in the lobby of Sacred Gate on channel 2. The doors close at 9:30 sharp.</li>
<li>You have 90 seconds to hide anywhere inside the main building. The rooftop and the canteen kitchen are out of bounds.</li>
<li>Whoever is caught in the light for two seconds is out and joins the search with a small lamp.</li>
<li>Assassins may not use stealth. Sorry, really.</li>
<li>The last five in hiding win.</li>
</ol>
<h2>Prizes</h2>
<ul>
<li>Last five: a night guard bat each.</li>
<li>The very last one: the guard's own cap, which exists only once and is handed on at the next round.</li>
<li>Everyone who was caught: a brownout flashlight for 7 days, since you now work for him.</li>
</ul>
<p>Three rounds in one evening, 80 places per round, first come first served. If the building is full, the windows of the other two schools have a good view, and betting with pandesal has become a tradition.</p>`,
  },
  {
    subject: 'Resu marathon: one night for the healers',
    type: 2,
    author: 'GM Alon',
    ageMinutes: age(47, 3),
    picture: 3,
    showPicture: true,
    html: `
<p>Everyone knows who has the most kills. Few people know who brought them back afterwards. This Saturday from 7:00 PM to midnight belongs to shamans and extremes.</p>
<h2>The task</h2>
<p>Bring back as many <em>different</em> people as you can. Only the first resurrection of each character counts, so five friends falling down a hundred times will not help you.</p>
<table>
<thead><tr><th>Different characters</th><th>Reward</th></tr></thead>
<tbody>
<tr><td>10</td><td>Sampaguita garland, 7 days</td></tr>
<tr><td>25</td><td>150 Milleage</td></tr>
<tr><td>50</td><td>400 Milleage and infirmary smelling salts</td></tr>
<tr><td>100</td><td>1,000 Milleage and a white armband for good</td></tr>
</tbody>
</table>
<h2>For everybody else</h2>
<ul>
<li>If you were brought back by three different healers, you get a bowl of midnight mami for each.</li>
<li>Say thank you. There is a gesture for it, and for one evening it costs nothing and heals both of you a little.</li>
</ul>
<p>What you do that night also counts on the resu board of the <a href="/rankings">monthly ranking</a>. The first two places there are only nine apart, and both of them will be on channel 4.</p>`,
  },
  {
    subject: 'Three-legged race across the Sky Bridge',
    type: 2,
    author: 'GM Sinag',
    ageMinutes: age(69, 5),
    picture: 7,
    showPicture: true,
    html: `
<p>Two characters, one rope, 640 steps, wind from the left. The bridge between the schools is narrow, and we removed the railing on purpose.</p>
<p><strong>Sunday, 4:00 PM, all channels at the same time.</strong> Start at the Phoenix end, goal at the Sacred Gate end, turning point at the lamp in the middle.</p>
<h2>How it works</h2>
<ol>
<li>Ask a partner with the pair command at the starting line. You are tied until the goal, or until you give up.</li>
<li>Both must walk. If one runs ahead by more than three steps, both fall. If you fall off, you start at the foot of the bridge again.</li>
<li>Rides, skates and teleports do not work. Laughing is allowed.</li>
<li>You may try as often as you like until 5:00 PM. The best time counts.</li>
</ol>
<h2>Prizes</h2>
<ul>
<li>Fastest pair of each channel: 600 Milleage each.</li>
<li>Fastest pair with more than 60 levels between them: a rooftop kick scooter each.</li>
<li>Pair with the most falls that still arrived: a year of our admiration, and a plaster for the nose.</li>
</ul>
<p>Practice is possible from Friday. Press M for the way; the bridge is marked on the <a href="/story">world map</a> too.</p>`,
  },
  {
    subject: 'Boodle fight: one long table, three schools',
    type: 2,
    author: 'GM Bituin',
    ageMinutes: age(95, 2),
    picture: 5,
    showPicture: true,
    html: `
<p>No swords. The longest table we could build stands in the Covered Court, with banana leaves from one end to the other, and it is your job to fill it.</p>
<h2>Part one: cooking, Monday to Friday</h2>
<p>Bring ingredients to the cook of your school. Rice from the terraces, fish from the flooded quad, chillies from the back garden of Phoenix. Every hundred ingredients put one metre of food on the table. The counter hangs beside each canteen door.</p>
<h2>Part two: eating, Saturday at 7:00 PM</h2>
<ul>
<li>Sit down anywhere, but not beside someone of your own school. The chairs know.</li>
<li>Everyone seated receives full HP and SP for an hour and 25 percent more experience until midnight.</li>
<li>If the table is longer than 60 metres, the bonus stays for all of Sunday.</li>
</ul>
<h2>Part three: dishes</h2>
<p>The school that brought the least washes up. This means exactly what it says: 300 plates, one each, a mini-game with soap. Last time it was Mystic Peak, and they sang, and the other two schools came over to help.</p>
<p>Write the best thing you heard at the table in a <a href="/ticket">ticket</a>. We print ten of them on the canteen wall.</p>`,
  },
  {
    subject: 'Write the school hymn: one verse is enough',
    type: 2,
    author: 'GM Alon',
    ageMinutes: age(150, 4),
    picture: null,
    showPicture: false,
    html: `
<p>The bell has a sound, the jeepney has a horn, but the schools have been silent for years. We are looking for three hymns: one for Sacred Gate, one for Mystic Peak, one for Phoenix.</p>
<h2>What we are looking for</h2>
<ul>
<li>One verse of four to eight lines. English, Filipino, Bisaya, Ilokano, or the mix you speak at home.</li>
<li>Something that can be sung by people who cannot sing.</li>
<li>The name of the school at least once. The names of other schools only if you are kind to them.</li>
<li>Your own words. Please do not send the hymn of your real school; two people did last time and one of them was the composer's grandson.</li>
</ul>
<h2>How to send it</h2>
<p>By <a href="/ticket">ticket</a> with the subject <em>hymn</em>, until the end of the month. Two entries per account. A melody is welcome, hummed into a phone is fine.</p>
<h2>What happens then</h2>
<ol>
<li>Each school votes for its own hymn, one week, at the notice board.</li>
<li>The winner is sung by the staff. You have been warned.</li>
<li>It plays in the courtyard every evening at six, with the author's name on a small brass plate.</li>
</ol>
<p>Winners receive 2,000 R-Coin and a seat in the first row at everything.</p>`,
  },
  {
    subject: 'Opening quiz: the answers and the winners',
    type: 2,
    author: 'GM Alon',
    ageMinutes: age(188, 5),
    picture: 7,
    showPicture: true,
    html: `
<p>Four hundred and twelve of you played the quiz in which every answer was written on a wall somewhere in the game. Here are the answers, so that the arguing can stop.</p>
<ol>
<li><strong>How many steps lead to the rooftop?</strong> 96. The broken one counts.</li>
<li><strong>What is written on the bench in the waiting shed?</strong> <em>Babalik din ako</em>, I will be back too.</li>
<li><strong>Which classroom has no number?</strong> The one between 204 and 206 in Mystic Peak. Number 205 is on the third floor. Nobody knows why.</li>
<li><strong>What does the co-op never sell?</strong> Erasers. There is a sign.</li>
<li><strong>Who planted the tree in the Phoenix courtyard?</strong> The first night guard, in the year of the big rain.</li>
</ol>
<h2>Winners</h2>
<p>Thirty-eight people had all five. Ten were drawn by lot and received 1,000 R-Coin each; the other twenty-eight have 200 Milleage in their balance. Three people answered question two with a drawing of the bench. Those hang in the <a href="/gallery">gallery</a> now.</p>
<p>Next quiz after the rainy season, and the walls will be different. Read <a href="/story">the story</a> carefully until then. It is shorter than the comments about it.</p>`,
  },
]

import { age, type DemoNews } from './news-types.ts'

/** General news of the demo world: notices, maintenance and patch notes (type 0). */
export const newsUpdates: DemoNews[] = [
  {
    subject: 'Channels 7 and 8 now open every night at nine',
    type: 0,
    author: 'GM Bituin',
    ageMinutes: 12,
    picture: 4,
    showPicture: true,
    html: `
<p>For two weeks the six channels were full by half past nine, and the last people to come home from work stood at the gate waiting for a slot. That ends tonight.</p>
<p><strong>Channels 7 and 8 open every evening at 9:00 PM and close at 2:00 AM, Manila time.</strong> On Fridays and Saturdays they stay open until 4:00 AM.</p>
<h2>How it works</h2>
<ul>
<li>You change channel from the game menu, as always. The two new ones appear in the list a few minutes before nine.</li>
<li>Fifteen minutes before closing, everyone inside gets a notice. At closing time you are moved to the emptiest of the other six. Your party moves together.</li>
<li>Channel 8 is the quiet one: no duels outside the Covered Court. If you only want to level while dinner is on the stove, go there.</li>
<li>Field bosses do not appear on 7 and 8. They stay on channels 1 to 6, so nobody has to watch eight clocks.</li>
</ul>
<p>If the list does not show them after nine, restart the client once so that it reads the new list. You need client 1.42, which is on the <a href="/download">download page</a>.</p>
<p>Thank you to the forty of you who stayed up on Sunday to fill them on purpose. The machine did not even sweat.</p>`,
  },
  {
    subject: 'Tuesday maintenance starts at 5:00 from now on',
    type: 0,
    author: 'GM Barako',
    ageMinutes: age(0, 7, 20),
    picture: 1,
    showPicture: true,
    html: `
<p>The weekly maintenance moves one hour earlier. Players on early shift asked for it: at half past six they want to play one round before the bus, not look at a closed gate.</p>
<table>
<thead><tr><th>Day</th><th>Starts</th><th>Gate opens again</th></tr></thead>
<tbody>
<tr><td>Every Tuesday</td><td>5:00 AM</td><td>6:30 AM at the latest</td></tr>
<tr><td>First Tuesday of the month</td><td>5:00 AM</td><td>8:00 AM at the latest</td></tr>
</tbody>
</table>
<p>All times are Manila time, the same as the clock at the top of this page.</p>
<h2>What happens to what you are doing</h2>
<ul>
<li>Warnings appear in the chat window 30, 10 and 3 minutes before.</li>
<li>Private stalls close by themselves and unsold items go back to your inventory.</li>
<li>Timed items, such as costumes for 30 days, are given back the length of the maintenance.</li>
</ul>
<p>The website stays up. You can read, look at the <a href="/rankings">rankings</a> and fill your <a href="/itemshop">shopping cart</a>, but bought items only reach your locker after the gate opens.</p>`,
  },
  {
    subject: 'Playing from a computer shop: please read this first',
    type: 0,
    author: 'Ate Dalisay',
    ageMinutes: age(1, 6),
    picture: null,
    showPicture: false,
    html: `
<p>Half of our support mail this week came from people who went to a cousin's house or a computer shop and could not get past the login. Nothing is broken. The game only lets you in from a connection you have whitelisted, and a new place is a new connection.</p>
<h2>Do this once per place</h2>
<ol>
<li>Log in here on the website, on the machine you want to play on.</li>
<li>Open <a href="/user">My Account</a> and look for Connection Information.</li>
<li>Press the button that asks for the current IP to be whitelisted. It takes a few seconds.</li>
<li>Start the game.</li>
</ol>
<p>Your account remembers <strong>five addresses</strong>. When you add a sixth, the oldest drops out, so your home will not vanish unless you travel a lot.</p>
<h2>Before you stand up and leave</h2>
<p>Log out of the website. Do not let the browser save your password on a shared machine. If you forgot, change your password from home: that ends every open session, also the one in the shop. It works at once, even if someone is sitting there right now.</p>
<p>One connection may have as many players as it has chairs. We do not ban a shop because one customer misbehaved.</p>`,
  },
  {
    subject: 'Patch notes 1.42: lighter client, faster doors',
    type: 0,
    author: 'GM Barako',
    ageMinutes: age(3, 2),
    picture: 8,
    showPicture: true,
    html: `
<p>Client 1.42 is a tidy-up patch. We threw out sound files nobody could hear and packed the rest better. The full client went from 3.3 GB to <strong>2.9 GB</strong>, and the jump from 1.41 is a patch of 214 MB. Both are on the <a href="/download">download page</a>.</p>
<h2>Loading times</h2>
<table>
<thead><tr><th>Door</th><th>1.41</th><th>1.42</th></tr></thead>
<tbody>
<tr><td>Waiting shed to any school</td><td>9.4 s</td><td>5.1 s</td></tr>
<tr><td>Hallway to library basement</td><td>7.0 s</td><td>3.8 s</td></tr>
<tr><td>Any school to the rooftop</td><td>11.2 s</td><td>6.5 s</td></tr>
</tbody>
</table>
<p>Measured on the old laptop in our corner: two cores, 2 GB, a hard disk that clicks.</p>
<h2>Classes</h2>
<table>
<thead><tr><th>Class</th><th>Change</th></tr></thead>
<tbody>
<tr><td>Shaman</td><td>Resurrection cast time 4.0 s to 3.4 s</td></tr>
<tr><td>Extreme</td><td>Support stance costs 18 SP a tick, was 22</td></tr>
<tr><td>Gunner</td><td>Reload no longer stops when you step sideways</td></tr>
<tr><td>Assassin</td><td>Second hit after stealth 140 % to 128 %</td></tr>
<tr><td>Shaper</td><td>Walls stand 12 s, were 10 s</td></tr>
</tbody>
</table>
<h2>Fixed</h2>
<ul>
<li>The quick slot no longer forgets F3 after a channel change.</li>
<li>Selling a full stack in a private stall pays for the full stack. Sorry.</li>
<li>The bell in Mystic Peak rings at eight, not at seven minutes past.</li>
</ul>`,
  },
  {
    subject: 'Covered Court, Old Market, Sky Bridge: all neutral again',
    type: 0,
    author: 'GM Bituin',
    ageMinutes: age(5, 4),
    picture: 6,
    showPicture: true,
    html: `
<p>With the new club war rules, the old results do not count any more. All three club areas went back to nobody this morning, and the tax in each of them is zero until somebody wins one.</p>
<table>
<thead><tr><th>Area</th><th>Owner</th><th>Tax</th><th>Known for</th></tr></thead>
<tbody>
<tr><td>Covered Court</td><td>none</td><td>0 %</td><td>Duels, loud spectators, good echo</td></tr>
<tr><td>Old Market</td><td>none</td><td>0 %</td><td>Most stalls, most gold changing hands</td></tr>
<tr><td>Sky Bridge</td><td>none</td><td>0 %</td><td>The shortest way between all three schools</td></tr>
</tbody>
</table>
<h2>What is different now</h2>
<ul>
<li>A club may hold <strong>one</strong> area only. Last season one club had all three and the market got quiet.</li>
<li>The owner may set a tax between 0 and 5 percent. It used to be ten.</li>
<li>The tax is changed once a week, after the war, and is shown on the <a href="/">home page</a> for everyone.</li>
<li>Half of what comes in goes to the club, half is given out as event prizes.</li>
</ul>
<p>If you sell in the Old Market, this is your week: no tax at all until the war on Saturday evening. Bring your stall permits and your small change.</p>`,
  },
  {
    subject: "Sunday's missing items are back in your lockers",
    type: 0,
    author: 'Ate Dalisay',
    ageMinutes: age(8, 3),
    picture: null,
    showPicture: false,
    html: `
<p>On Sunday between 10:40 and 11:15 PM, channel 3 stopped saving. If you picked something up in that half hour and then changed channel, it was gone. We saw it in the numbers before the first ticket came in, but that does not make it less annoying.</p>
<p>We went through the logs line by line and returned <strong>1,304 items to 219 characters</strong>. They are in your school locker with a note that says <em>channel 3</em>.</p>
<h2>If something is still missing</h2>
<ol>
<li>Open the locker in your own school. Items do not go to the inventory by themselves.</li>
<li>Look at all pages of the locker. Some people received more than one page holds.</li>
<li>Still not there? <a href="/ticket">Submit a ticket</a> with the character's name, the item and about what time you had it. A screenshot helps but is not needed.</li>
</ol>
<p>Tickets about that evening are answered first, until Friday. Experience from those minutes could not be restored one by one, so every character that was on channel 3 receives two bowls of champorado for exam week instead.</p>
<p>The cause was a full log disk. It now warns us at 70 percent, by text message, to three people. Pasensya na, and thank you for the patient mails.</p>`,
  },
  {
    subject: 'What happens to the rankings on the first of the month',
    type: 0,
    author: 'GM Bituin',
    ageMinutes: age(12, 5),
    picture: 10,
    showPicture: true,
    html: `
<p>Every month the same question comes up at midnight, so here is the answer in one place.</p>
<p>At 00:00 Manila time on the first day of the month the boards close. The top 100 of every board is kept as it stood, and a new month begins for everybody.</p>
<h2>What starts again and what stays</h2>
<table>
<thead><tr><th>Board</th><th>Counted as</th></tr></thead>
<tbody>
<tr><td>Resu</td><td>Resurrections this month</td></tr>
<tr><td>Killer</td><td>Kills and deaths this month</td></tr>
<tr><td>MMR</td><td>Your rating at the moment</td></tr>
<tr><td>Level</td><td>Your level at the moment</td></tr>
<tr><td>Richest</td><td>The gold you carry at the moment</td></tr>
</tbody>
</table>
<p>Nobody loses anything. Your total kills are still on your character status window; the board simply counts from the first of the month.</p>
<h2>Small print</h2>
<ul>
<li>When two players have the same number, the higher level stands above.</li>
<li>A character without a single kill or resu this month is not on that board yet.</li>
<li>Staff characters and blocked accounts are never listed.</li>
</ul>
<p>You can filter every board by school and class on the <a href="/rankings">rankings page</a>. Being third among the shapers of Mystic Peak is also something to tell your mother.</p>`,
  },
  {
    subject: 'Eleven accounts closed for selling gold',
    type: 0,
    author: 'GM Bituin',
    ageMinutes: age(16, 9),
    picture: null,
    showPicture: false,
    html: `
<p>Last week we closed eleven accounts that sold gold for real money. Together they held 2.1 billion. That gold has been removed; it does not come back into the game through a side door.</p>
<h2>How we found them</h2>
<p>Mostly through you. Twenty-six players sent us screenshots of the offers. The rest was patience: the same five characters gave large sums to strangers for nothing, always at the same hour, and never spoke.</p>
<h2>If you bought from them</h2>
<p>We looked at every trade. Whoever bought once lost what they bought and received a warning. Nobody lost a character this time. Next time we will not be so soft.</p>
<h2>How to help</h2>
<ul>
<li>Do not answer. Take a screenshot with the name readable.</li>
<li><a href="/ticket">Submit a ticket</a> with the subject <em>gold</em>. We read those the same day.</li>
<li>Do not shame people by name in regional chat. A wrong accusation costs a person their evening, and it costs you 10,000 gold per message.</li>
</ul>
<p>If somebody writes to you in our name and asks for your password, it is not us. We can see what we need to see without it. There is no exception to this, not even for a prize.</p>`,
  },
  {
    subject: 'Rain season: what we do when the power goes',
    type: 0,
    author: 'GM Barako',
    ageMinutes: age(21, 2),
    picture: 9,
    showPicture: true,
    html: `
<p>Three big storms in a month. Here is what happens on our side when the lights go out, so that you know what to expect.</p>
<h2>When it is our power</h2>
<p>The machine room has batteries for 25 minutes and a generator that starts after two. You will not notice the first ten minutes. If the generator fails too, the gate closes in good order: warning at minute 10, stalls closed at minute 15, everything saved, server off at minute 20.</p>
<h2>When it is your power</h2>
<ul>
<li>Your character stays in the world for 15 seconds after the connection breaks, then it is taken out safely.</li>
<li>If you die in those 15 seconds in a party, the party leader may call you back within five minutes. You lose no experience.</li>
<li>In a club war a lost connection does not count as a death for the score.</li>
</ul>
<h2>When it is the whole region</h2>
<p>If more than a fifth of all players drop within one minute, we stop duels and club wars on every channel and continue an hour later or the next day. That has happened twice now, and both times the war was better for it.</p>
<p>Stay dry. Charge your phone first, then your laptop. The campus is still here in the morning.</p>`,
  },
  {
    subject: 'Patch notes 1.41: party search, stalls, small repairs',
    type: 0,
    author: 'GM Barako',
    ageMinutes: age(26, 8),
    picture: 1,
    showPicture: true,
    html: `
<p>This patch is about finding each other. The old party search was shouting into a corridor; the new one at least writes it on the wall.</p>
<h2>Party search channel</h2>
<ul>
<li>One message costs 20,000 gold and can be sent once every 2 minutes. Neither number changed.</li>
<li>Messages now show your level, class and channel by themselves, so you have room for what you actually want.</li>
<li>Click a name in the channel to ask for an invitation. The leader sees your level and school before saying yes.</li>
</ul>
<h2>Private stalls</h2>
<table>
<thead><tr><th></th><th>Before</th><th>Now</th></tr></thead>
<tbody>
<tr><td>Lines in a stall</td><td>12</td><td>16</td></tr>
<tr><td>Longest sign text</td><td>20 characters</td><td>32 characters</td></tr>
<tr><td>Stall stays open while you are away</td><td>2 hours</td><td>4 hours</td></tr>
</tbody>
</table>
<h2>Repairs</h2>
<ul>
<li>Archers could shoot through the back wall of the canteen. They cannot any more, and the cook thanks you.</li>
<li>Rain on the rooftop no longer makes the same splash 40 times.</li>
<li>The <a href="/instructions">interface guide</a> on this site shows all nine regions again.</li>
<li>Typing an ñ in a character's greeting works.</li>
</ul>
<p>The patch is 180 MB and is loaded by the launcher. Full client on the <a href="/download">download page</a>.</p>`,
  },
  {
    subject: 'New on the co-op shelf: skates, mami, a carabao',
    type: 0,
    author: 'GM Sinag',
    ageMinutes: age(33, 6),
    picture: 2,
    showPicture: true,
    html: `
<p>The campus co-op received its largest delivery so far. Nineteen new things, most of them suggested by you, one of them by a player's seven-year-old sister. That one is the carabao.</p>
<h2>Rides</h2>
<ul>
<li><strong>Hallway skates</strong>: a third faster indoors, terrible on grass.</li>
<li><strong>Carabao from the ag building</strong>: slow, carries two, cannot be knocked down. It stops for nobody, so please look where you park it.</li>
<li><strong>Skateboard, no brakes</strong>: the name is accurate.</li>
</ul>
<h2>Food that does something</h2>
<p>Midnight mami, Lola's salabat and the spicy fish ball stick are paid with Milleage and are priced so that one evening of playing feeds you for two. If they run out in your town, tell us. We can cook more.</p>
<h2>How paying works, once more</h2>
<ul>
<li><strong>R-Coin</strong> is loaded with a redeem code on the <a href="/topup">top-up page</a>.</li>
<li><strong>Milleage</strong> is earned by playing: 60 for every full hour, up to 300 a day.</li>
</ul>
<p>Nothing on the shelf makes you hit harder in a club war. Inside the three club areas all charms and foods rest. That rule is older than the co-op and it stays. Have a look at the <a href="/itemshop">item shop</a>.</p>`,
  },
  {
    subject: 'We moved the machines, and nobody dropped the big one',
    type: 0,
    author: 'GM Barako',
    ageMinutes: age(44, 4),
    picture: 1,
    showPicture: true,
    html: `
<p>The server now stands in a proper room with proper cooling. Until Saturday it stood behind a water refilling station, and on hot days you could hear it in the shop. Thank you, Mang Lito, for three years of electricity and jokes.</p>
<h2>The move in numbers</h2>
<table>
<thead><tr><th></th><th>Planned</th><th>Happened</th></tr></thead>
<tbody>
<tr><td>Gate closed</td><td>Saturday 2:00 AM</td><td>Saturday 2:00 AM</td></tr>
<tr><td>Machines in the van</td><td>3:00 AM</td><td>3:25 AM</td></tr>
<tr><td>First login</td><td>9:00 AM</td><td>8:10 AM</td></tr>
<tr><td>Things forgotten</td><td>0</td><td>1 (the long ladder)</td></tr>
</tbody>
</table>
<h2>What you should notice</h2>
<ul>
<li>From Luzon: about 8 ms less on average.</li>
<li>From the Visayas and Mindanao: 12 to 20 ms less, because the line now goes a shorter way.</li>
<li>From abroad: no change, good or bad.</li>
</ul>
<p>If your connection became <em>worse</em>, please <a href="/ticket">write a ticket</a> with your town, your provider and the time of day. Two providers still take the scenic route through another country, and we are talking to them.</p>
<p>Everything you owned on Friday night is where you left it.</p>`,
  },
  {
    subject: 'Your second password: please set one this week',
    type: 0,
    author: 'Ate Dalisay',
    ageMinutes: age(58, 7),
    picture: null,
    showPicture: false,
    html: `
<p>Seven players had their lockers emptied this month. In all seven cases somebody else knew the password: a former clubmate, a brother, the shop's shared notebook. In none of them was the second password set.</p>
<h2>What it does</h2>
<p>The second password is asked <strong>inside the game</strong>, before a locker opens, before a trade above one million gold and before a character is deleted. Whoever knows only your first password can look at your things but cannot carry them away.</p>
<h2>How to set it</h2>
<ol>
<li>Open <a href="/user">My Account</a> on this site.</li>
<li>Type a second password of 4 to 20 characters. It must not be the first one with a 1 behind it. You know who you are.</li>
<li>Confirm with your current password. You will be logged out everywhere; that is normal.</li>
<li>Log in again and open your locker once to try it.</li>
</ol>
<h2>If you forget it</h2>
<p>Set a new one on the same page. You do not need a ticket for this, and we could not tell you the old one anyway: we store neither of them in readable form.</p>
<p>Please also look whether your e-mail address is still one you can open. A reset link to an address from high school helps nobody.</p>`,
  },
  {
    subject: 'Patch notes 1.40: the shaper learns to fall',
    type: 0,
    author: 'GM Barako',
    ageMinutes: age(76, 3),
    picture: 3,
    showPicture: true,
    html: `
<p>The ninth class has been with us for two months, and you have found every hole in it. Thank you for the videos, especially the one with the staircase to the moon.</p>
<h2>Shaper</h2>
<table>
<thead><tr><th>Skill group</th><th>Before</th><th>Now</th></tr></thead>
<tbody>
<tr><td>Blocks standing at once</td><td>no limit</td><td>6</td></tr>
<tr><td>Highest stack</td><td>no limit</td><td>3 blocks</td></tr>
<tr><td>Block strength at level 60</td><td>2,400</td><td>3,100</td></tr>
<tr><td>Fall from a block</td><td>no damage</td><td>normal damage, halved for the shaper</td></tr>
</tbody>
</table>
<p>Fewer blocks, but each of them worth standing behind.</p>
<h2>Magician</h2>
<ul>
<li>Both long spells may now be cancelled with the same key that started them.</li>
<li>SP cost of the first four spells is 10 percent lower until level 30.</li>
</ul>
<h2>Everybody</h2>
<ul>
<li>New default: the map (key M) opens where you closed it.</li>
<li>The inventory (key I) can be sorted by kind, by price or by how long you have carried it.</li>
<li>Falling off the Sky Bridge puts you at its foot, not back at your school.</li>
</ul>
<p>If you rebuilt your shaper around the old numbers, the skill reset slip is free for shapers until Sunday, one per character. See the <a href="/characters">class guide</a> for the skill list.</p>`,
  },
  {
    subject: 'Moderators wanted for the shift after midnight',
    type: 0,
    author: 'GM Bituin',
    ageMinutes: age(101, 5),
    picture: 4,
    showPicture: true,
    html: `
<p>Between midnight and four in the morning there are still three hundred people on campus and exactly one of us awake. We would like company.</p>
<h2>What you would do</h2>
<ul>
<li>Keep an eye on regional chat, two nights a week, two hours at a time.</li>
<li>Help new players who are stuck at the gate. This is nine tenths of the work.</li>
<li>Mute what needs muting, for at most an hour, and write one line about why.</li>
<li>Wake a GM if something is really on fire.</li>
</ul>
<h2>What we ask</h2>
<ul>
<li>You are at least 18 and have played here for three months.</li>
<li>You can be polite to someone who is not.</li>
<li>English and Filipino; Bisaya or Ilokano is a big plus at that hour.</li>
</ul>
<h2>What you get</h2>
<p>A moderator's lanyard, 500 Milleage a month, our thanks and a free dinner at the yearly meet-up. No special powers over items, no private rankings. A moderator's own characters are played like everybody else's.</p>
<p>Interested? <a href="/ticket">Submit a ticket</a> with the subject <em>night shift</em> and tell us about one argument you ended well. We answer everyone, also with a no.</p>`,
  },
  {
    subject: 'Names we have to change, and how we do it',
    type: 0,
    author: 'Ate Dalisay',
    ageMinutes: age(137, 8),
    picture: null,
    showPicture: false,
    html: `
<p>We do not like touching names. You chose it at two in the morning with three friends on the phone; we understand. But some names hurt people or break something, so here are the rules in short.</p>
<h2>Not allowed</h2>
<ul>
<li>Insults, slurs, and body parts in any of our languages. We have staff from five provinces. We will understand it.</li>
<li>Names that look like staff: GM, admin, moderator, in any spelling.</li>
<li>Names of real people who did not ask for it, from presidents to your math teacher.</li>
<li>Telephone numbers, links and prices.</li>
</ul>
<h2>Allowed, to everyone's relief</h2>
<ul>
<li>Food. There are 31 kinds of pancit on this server.</li>
<li>Your barangay, your street, your jeepney route.</li>
<li>Being somebody's Kuya, Ate, Tito, Lola.</li>
</ul>
<h2>How it goes</h2>
<ol>
<li>You get a message in the game and three days to answer.</li>
<li>If you agree, you receive a name change form for free.</li>
<li>If we hear nothing, the character is called Tambay and a number until you choose.</li>
</ol>
<p>Think we are wrong? <a href="/ticket">Tell us why</a>. Last month we were wrong twice.</p>`,
  },
  {
    subject: 'Lost time on Saturday, and what we give back for it',
    type: 0,
    author: 'GM Bituin',
    ageMinutes: age(168, 2),
    picture: 1,
    showPicture: true,
    html: `
<p>On Saturday the server was away from 7:52 to 10:36 PM, on the best evening of the week. An excavator two streets away found our cable before the map did. There was no second line. There is one now.</p>
<h2>What you get</h2>
<table>
<thead><tr><th>Who</th><th>What</th></tr></thead>
<tbody>
<tr><td>Every account that logged in this month</td><td>180 Milleage</td></tr>
<tr><td>Everyone with a running 30-day item</td><td>One more day on it</td></tr>
<tr><td>Players who were in a club war</td><td>Sign-up fee back, war repeated next Saturday</td></tr>
</tbody>
</table>
<p>The Milleage is already in your balance. Days were added at noon today.</p>
<h2>What we learned</h2>
<ul>
<li>The notice on the website came 40 minutes late, because the person with the password was on the same cut line. Two of us now have it, with different providers.</li>
<li>The gate said <em>wrong password</em> when it meant <em>no server</em>. That text is corrected. If you changed your password that night because of it: sorry, that was our fault.</li>
</ul>
<p>Thank you to the club that moved its war meeting to a karaoke place and sent us the video.</p>`,
  },
  {
    subject: 'A new website, the same tambayan',
    type: 0,
    author: 'GM Bituin',
    ageMinutes: age(198, 6),
    picture: 7,
    showPicture: true,
    html: `
<p>Welcome to the new house. The old site was eleven pages held together with tape; this one opens on a cheap phone over mobile data before the jeepney reaches the next stop. That was the only wish we had, and then it grew.</p>
<h2>What you find here</h2>
<ul>
<li><a href="/news">News, events and guides</a>, each on its own board.</li>
<li><a href="/rankings">Five rankings</a> with school and class filters. They start again on the first day of every month.</li>
<li>The <a href="/itemshop">item shop</a> with a real shopping cart, and a history of everything you bought or redeemed.</li>
<li><a href="/characters">Classes</a>, <a href="/story">the story</a>, <a href="/gamesystem">the game system</a> and the <a href="/instructions">interface, explained</a>.</li>
<li>The <a href="/gallery">gallery</a>, <a href="/wallpaper">wallpapers</a> and <a href="/movies">movies</a>.</li>
</ul>
<h2>Your old account</h2>
<p>It works here, with the same user ID and password. Please log in once and see whether your e-mail address is right. If you cannot get in, <a href="/findaccount">find your account</a> first and write to us second.</p>
<h2>What comes later</h2>
<p>The forum. We would rather open it properly than open it empty.</p>
<p>Found a mistake? <a href="/ticket">Tell us</a>. The first fifty useful reports get a lanyard for their character, and our respect.</p>`,
  },
]

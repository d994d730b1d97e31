import { html, raw } from 'hono/html'
import { LAUNCHER_PICTURE_PX, type Launcher } from '#contract/launcher.ts'
import { formatManilaMinute } from '#contract/manila.ts'

/** For engines of Internet Explorer's age: no grid, no flexible boxes, no custom properties, no elements of HTML 5. */
const STYLE = `body{margin:0;padding:12px;background:#0A0C13;color:#F5F1E6;font:14px/20px Tahoma,Verdana,sans-serif}
a{color:#FFD21F}table{width:100%;border-collapse:collapse}td{padding:0;vertical-align:top}.picture{width:${LAUNCHER_PICTURE_PX + 12}px}
h1{margin:0 0 4px;font-size:20px;line-height:26px}h2{margin:16px 0 4px;font-size:14px;line-height:20px;color:#C3C8D4}p{margin:0 0 4px}
ul{margin:0;padding:0;list-style:none}li{margin:0 0 6px;padding:6px 8px;background:#171B29}small{color:#C3C8D4}.up{color:#7CE38B}.down{color:#FF9C8A}img{border:0}`

const STATE_TEXTS = {
  up: 'The server is online.',
  down: 'The server is offline.',
  maintenance: 'The server is under maintenance.',
  unknown: '',
} as const

const STATE_CLASSES: Record<Launcher['state'], string> = { up: 'up', down: 'down', maintenance: 'down', unknown: '' }

/** Renders the page for the browser inside a launcher (LAUNCHER-1). Links open in the player's own browser. */
export function renderLauncher(launcher: Launcher, now: Date) {
  const { name, site, state, players, maintenance, event, news, downloads } = launcher
  const online = players === null ? '' : players === 1 ? '1 player online.' : `${players} players online.`
  return html`<!DOCTYPE html><html lang="en"><head><meta http-equiv="X-UA-Compatible" content="IE=edge"><meta charset="utf-8">
<title>${name}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>${raw(STYLE)}</style></head><body>
<table role="presentation"><tr><td class="picture"><a href="${site}/" target="_blank"><img src="/launcher.jpg" width="${LAUNCHER_PICTURE_PX}" height="${LAUNCHER_PICTURE_PX}" alt="${name}"></a></td><td>
<h1>${name}</h1>${state === 'unknown' ? '' : html`<p class="${STATE_CLASSES[state]}"><b>${STATE_TEXTS[state]}</b> ${online}</p>`}
${maintenance === null ? '' : html`<p><b>${Date.parse(maintenance.from) > now.getTime() ? 'Next maintenance' : 'Maintenance'}:</b> ${describeSpan(maintenance)}. ${maintenance.text}</p>`}
${event === null ? '' : html`<p><b>Next event:</b> <a href="${event.address}" target="_blank">${event.title}</a>, ${formatManilaMinute(new Date(event.starts_at))}</p>`}
${maintenance === null && event === null && news.length === 0 ? '' : html`<p><small>All times are Manila time.</small></p>`}
<p><a href="${site}/" target="_blank">Open the website</a></p></td></tr></table>
${news.length === 0 ? '' : html`<h2>News</h2><ul>${news.map((item) => html`<li><a href="${item.address}" target="_blank">${item.subject}</a>${item.published_at === null ? '' : html`<br><small>${formatManilaMinute(new Date(item.published_at))}</small>`}</li>`)}</ul>`}
${downloads.length === 0 ? '' : html`<h2>Downloads</h2><ul>${downloads.map((download) => html`<li><a href="${download.address}" target="_blank">${download.name}</a> <small>${[download.version, download.size].filter(Boolean).join(', ')}</small></li>`)}</ul>`}
</body></html>`
}

function describeSpan({ from, until }: NonNullable<Launcher['maintenance']>): string {
  const start = formatManilaMinute(new Date(from))
  return until === null ? `from ${start}` : `${start} to ${formatManilaMinute(new Date(until))}`
}

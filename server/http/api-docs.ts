import { html, raw } from 'hono/html'
import type { ApiDocument } from './openapi.ts'

type Operation = ApiDocument['paths'][string][string]

const STYLESHEET = `body{margin:0 auto;padding:2rem 1rem 6rem;max-width:60rem;font:16px/1.5 system-ui,sans-serif;background:#0A0C13;color:#F5F1E6}
a{color:#FFD21F}h2{margin-top:3rem;text-transform:capitalize}article{margin:1rem 0;padding:1rem 1.25rem;background:#11141F;border:1px solid #2C3348}
h3{margin:0;font:600 1rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere}h3 b{color:#FFD21F}p{margin:.35rem 0;color:#C3C8D4}
summary{cursor:pointer}pre{overflow:auto;padding:.75rem;background:#0A0C13;font-size:.85rem}dt{font-weight:600}dd{margin:0 0 .5rem 1rem;color:#C3C8D4}`

/** Renders the OpenAPI document as a page without scripts. */
export function renderApiDocs(document: ApiDocument) {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const areas = [...new Set(calls.map(({ operation }) => operation.tags[0]))]
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title}</title><style>${raw(STYLESHEET)}</style></head><body><main>
<h1>${document.info.title}</h1><p>Base path <code>/api</code>. Tools can read the same description as <a href="/api/openapi.json">openapi.json</a>.</p>
${document.info.description.split('\n\n').map((line) => html`<p>${renderBold(line)}</p>`)}
${areas.map(
  (area) =>
    html`<section><h2>${area}</h2>${calls
      .filter(({ operation }) => operation.tags[0] === area)
      .map(renderCall)}</section>`,
)}
<section><h2>Schemas</h2>${Object.entries(document.components.schemas).map(
    ([name, schema]) => html`<article id="${name}"><h3>${name}</h3>${renderSchema(schema)}</article>`,
  )}</section></main></body></html>`
}

function renderCall({ path, method, operation }: { path: string; method: string; operation: Operation }) {
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  return html`<article><h3><b>${method.toUpperCase()}</b> ${path}</h3><p>${operation.summary}</p>
${operation.description.split('\n\n').map((line) => html`<p>${renderBold(line)}</p>`)}
${operation.parameters?.length ? html`<dl>${operation.parameters.map((parameter) => html`<dt>${parameter.name} <small>(${parameter.in}${parameter.required ? '' : ', optional'})</small></dt><dd>${parameter.description}</dd>`)}</dl>` : ''}
${body === undefined ? '' : html`<details><summary>Body</summary>${renderSchema(body)}</details>`}
${Object.entries(operation.responses).map(
  ([status, answer]) =>
    html`<details><summary>${status} ${answer.description}</summary>${renderSchema(Object.values(answer.content)[0]?.schema ?? {})}</details>`,
)}</article>`
}

function renderSchema(schema: unknown) {
  return html`<pre>${JSON.stringify(schema, null, 2)}</pre>`
}

/** Renders a text with Markdown's ** as bold. */
function renderBold(text: string) {
  return text.split('**').map((part, index) => (index % 2 === 0 ? part : html`<b>${part}</b>`))
}

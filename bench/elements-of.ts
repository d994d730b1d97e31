import { createElement, type ReactElement, type ReactNode } from 'react'

const VOID = new Set(['area', 'base', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'])
const TOKEN = /<(script|style)([^>]*)>([\s\S]*?)<\/\1>|<!--[\s\S]*?-->|<!DOCTYPE[^>]*>|<(\/?)([\w-]+)([^>]*)>|[^<]+/gi
const ATTRIBUTE = /([\w:-]+)(?:="([^"]*)")?/g
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

const unescape = (text: string) => text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '')

function stylesOf(text: string): Record<string, string> {
  const declarations = text.split(';').map((declaration) => declaration.split(/:(.*)/s))
  return Object.fromEntries(
    declarations.map(([name = '', value = '']) => [
      name.startsWith('--') ? name : name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )
}

function propsOf(attributes: string): Record<string, unknown> {
  const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => {
    if (name === 'class') return ['className', unescape(value)]
    return name === 'style' ? [name, stylesOf(unescape(value))] : [name, value === '' ? true : unescape(value)]
  })
  return Object.fromEntries(pairs)
}

type Open = { tag: string; props: Record<string, unknown>; children: ReactNode[] }

/** The plain React elements that render to a page which React rendered; reads React's own spelling only. */
export function elementsOf(html: string): ReactElement {
  const root: Open = { tag: '', props: {}, children: [] }
  const open = [root]
  const add = (node: ReactNode) => open.at(-1)?.children.push(node)
  const close = ({ tag, props, children }: Open) => add(createElement(tag, props, ...children))
  for (const [token, raw, rawAttributes = '', code, slash, tag, attributes = ''] of html.matchAll(TOKEN)) {
    if (raw !== undefined) {
      add(createElement(raw, { ...propsOf(rawAttributes), dangerouslySetInnerHTML: { __html: code } }))
    } else if (tag === undefined) {
      if (!token.startsWith('<!')) add(unescape(token))
    } else if (slash === '/') {
      const done = open.pop()
      if (done?.tag !== tag) throw new Error(`</${tag}> closes <${done?.tag}>.`)
      close(done)
    } else {
      const element = { tag, props: propsOf(attributes), children: [] }
      if (VOID.has(tag)) close(element)
      else open.push(element)
    }
  }
  return root.children[0] as ReactElement
}

import type { MouseEvent } from 'react'
import { type NavigateOptions, useNavigate } from 'react-router'

type HtmlTextProps = {
  /** HTML that the server has cleaned. */
  html: string
  className?: string | undefined
  /** Returns options for following a link within the site; undefined means the defaults. */
  getOptions?: (to: string) => NavigateOptions | undefined
}

/** Renders HTML of the site. Links within the site change the page without loading a new document. */
export function HtmlText({ html, className, getOptions }: HtmlTextProps) {
  const navigate = useNavigate()
  const followLink = (event: MouseEvent<HTMLElement>) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const to = link?.getAttribute('href') ?? ''
    const isPlainClick = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (!isPlainClick || !to.startsWith('/')) return
    event.preventDefault()
    void navigate(to, getOptions?.(to))
  }
  // biome-ignore lint/a11y/noStaticElementInteractions: it only handles clicks on the links inside
  // biome-ignore lint/a11y/useKeyWithClickEvents: a keyboard press on a link also sends a click
  return <div className={className} onClick={followLink} dangerouslySetInnerHTML={{ __html: html }} />
}

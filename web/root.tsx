import type { ReactNode } from 'react'
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
import { LoadedData, Queries } from './api/render.tsx'
import { SESSION_BOOT_SCRIPT } from './api/session.ts'
import { meta as pageMeta } from './layout.tsx'
import { loadShell } from './shell/shell-data.ts'
import './ui/base.css'
import displayFont from '@fontsource-variable/sofia-sans-extra-condensed/files/sofia-sans-extra-condensed-latin-wght-normal.woff2?url'
import readingFont from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url'

export { RootError as ErrorBoundary } from './features/error/root-error.tsx'
export const loader = loadShell

/** The shell's data came with the document and is kept fresh by its own queries; a change of page never asks for it again. */
export const shouldRevalidate = () => false

/** A page's own `meta` takes its place; it stays for pages that fail. */
export const meta = pageMeta

const preloadFont = (href: string) => ({
  rel: 'preload',
  href,
  as: 'font',
  type: 'font/woff2',
  crossOrigin: 'anonymous' as const,
})

export const links = () => [
  preloadFont(displayFont),
  preloadFont(readingFont),
  { rel: 'icon', href: '/art/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/art/favicon-32.png', type: 'image/png', sizes: '32x32' },
  { rel: 'apple-touch-icon', href: '/art/apple-touch-icon.png' },
]

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#0A0C13" />
        <script dangerouslySetInnerHTML={{ __html: SESSION_BOOT_SCRIPT }} />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <LoadedData />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  return (
    <Queries>
      <Outlet />
    </Queries>
  )
}

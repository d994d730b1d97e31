import { type ReactNode, useEffect } from 'react'
import { Outlet, ScrollRestoration, useRouteError } from 'react-router'
import { EARLY_EVENTS_SCRIPT, replayEarlyEvents } from './api/early-events.ts'
import { QueryProvider } from './api/render.tsx'
import { SESSION_BOOT_SCRIPT } from './api/session.ts'
import { RootError } from './features/error/root-error.tsx'
import { createFailureHead, HeadTags } from './head.tsx'
import { CLOSED_NOTICES_SCRIPT } from './shell/notice-time.ts'
import { useShellData } from './shell/shell-data.ts'
import './ui/fonts/fonts.css'
import './ui/base.css'

/** The document around every page. `entry.server.tsx` adds the files that the browser loads first. */
function Document({ children }: { children: ReactNode }) {
  useEffect(replayEarlyEvents, [])
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={useShellData()?.theme?.ground ?? '#0A0C13'} />
        <script dangerouslySetInnerHTML={{ __html: SESSION_BOOT_SCRIPT }} />
        <script dangerouslySetInnerHTML={{ __html: CLOSED_NOTICES_SCRIPT }} />
        <script dangerouslySetInnerHTML={{ __html: EARLY_EVENTS_SCRIPT }} />
      </head>
      <body>{children}</body>
    </html>
  )
}

export function Root() {
  return (
    <Document>
      <QueryProvider>
        <Outlet />
      </QueryProvider>
      <ScrollRestoration />
    </Document>
  )
}

/** The document for a failure of the shell. */
export function RootFailure() {
  const error = useRouteError()
  return (
    <Document>
      <HeadTags head={createFailureHead(error)} />
      <RootError />
    </Document>
  )
}

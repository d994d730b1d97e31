import type { ReactNode } from 'react'
import type { DocumentContent, DocumentName } from '#contract/documents.ts'
import { PREPARING_TEXT } from '#contract/messages.ts'
import { useDocument } from '#web/api/documents.ts'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { PageHead } from './page-head.tsx'

/** Returns the texts of a document's lines, for the `lines` of `PageHead`. */
export const getLines = (lines: readonly { line: string }[]): string[] => lines.map(({ line }) => line)

/** Replaces a page that has no text yet (PAGE-3), or whose document failed to load. */
export function UnwrittenPage({ title, isMissing }: { title: string; isMissing: boolean }) {
  return (
    <>
      <PageHead crumb={title} title={title} />
      <Panel>
        {isMissing ? (
          <EmptyState title={PREPARING_TEXT} />
        ) : (
          <EmptyState title="We couldn’t load this page. Please reload it." />
        )}
      </Panel>
    </>
  )
}

type DocumentPageProps<Name extends DocumentName> = {
  name: Name
  /** The page's heading, fixed by the specification. */
  title: string
  children: (document: DocumentContent<Name>) => ReactNode
}

/** A page of the site whose text operators edit. */
export function DocumentPage<Name extends DocumentName>({ name, title, children }: DocumentPageProps<Name>) {
  const document = useDocument(name)
  if (!document) return <UnwrittenPage title={title} isMissing={document === null} />
  return children(document)
}

import { SEARCH_KINDS } from '#contract/search-words.ts'
import { Link } from '#web/ui/link.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import { HitLink } from './hit-link.tsx'
import { NothingFound } from './nothing-found.tsx'
import type { SearchAnswer } from './queries.ts'
import { countText, foundText } from './results-words.ts'
import styles from './search-results.module.css'
import { KIND_NAMES, type SearchView, searchTarget } from './search-view.ts'

type SearchResultsProps = { view: SearchView; answer: SearchAnswer }

/** What was found: a tab for each kind with its count, then one kind by pages, or the first of each kind in groups. */
export function SearchResults({ view, answer }: SearchResultsProps) {
  const { words, kind } = view
  const everything = SEARCH_KINDS.reduce((sum, each) => sum + answer.counts[each], 0)
  const tabs = [
    { key: 'all', label: `All ${countText(everything)}`, to: searchTarget({ words, kind: null }) },
    ...SEARCH_KINDS.map((each) => ({
      key: each,
      label: `${KIND_NAMES[each]} ${countText(answer.counts[each])}`,
      to: searchTarget({ words, kind: each }),
    })),
  ]
  return (
    <>
      <TabLinks label="Kinds of results" tabs={tabs} current={kind ?? 'all'} panelId="results" />
      <div id="results" className={styles.results}>
        <p className={styles.count} role="status">
          {foundText(answer.total, words)}
          {kind !== null && ` in ${KIND_NAMES[kind]}`}
        </p>
        {answer.total === 0 ? (
          <NothingFound view={view} everything={everything} />
        ) : kind === null ? (
          <Groups words={words} answer={answer} />
        ) : (
          <Panel>
            <Hits hits={answer.data} />
          </Panel>
        )}
        {kind !== null && (
          <Pager target={searchTarget(view)} page={answer.page} lastPage={answer.last_page} label="Pages of results" />
        )}
      </div>
    </>
  )
}

/** The kinds in the order of the answer: the one with the best hit comes first. */
function Groups({ words, answer: { data, counts } }: { words: string; answer: SearchAnswer }) {
  const kinds = [...new Set(data.map(({ kind }) => kind))]
  return kinds.map((kind) => {
    const hits = data.filter((hit) => hit.kind === kind)
    const more = counts[kind] > hits.length && (
      <Link className={styles.more} to={searchTarget({ words, kind })}>
        All {countText(counts[kind])}
        <span className="visually-hidden"> {KIND_NAMES[kind]}</span>
      </Link>
    )
    return (
      <Panel key={kind} title={KIND_NAMES[kind]} actions={more || undefined}>
        <Hits hits={hits} />
      </Panel>
    )
  })
}

function Hits({ hits }: { hits: SearchAnswer['data'] }) {
  return (
    <ul>
      {hits.map((hit) => (
        <li className={styles.row} key={`${hit.path} ${hit.title.map(({ text }) => text).join('')}`}>
          <HitLink className={styles.link} hit={hit} />
        </li>
      ))}
    </ul>
  )
}

import { NEWS_TEXTS } from '#contract/messages.ts'
import { usePendingSearch } from '#web/api/page.ts'
import { useThemePicture } from '#web/shell/shell-data.ts'
import { ButtonLink, RefreshButton } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import link from '#web/ui/link.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, NewBadge, Skeleton } from '#web/ui/states.tsx'
import { TabLinks } from '#web/ui/tabs.tsx'
import text from '#web/ui/text.module.css'
import { getNewsPath, getNewsTopicPath, NEWS_BOARDS, type NewsBoard } from '../news/news-view.ts'
import { type NewsRow, useNewsBoard } from '../news/queries.ts'
import { RelativeTime } from '../news/relative-time-text.tsx'
import styles from './home-news.module.css'
import { getHomePath, type HomeView, homeSearch } from './home-view.ts'

const FIRST_PANEL_INDEX = 3

type HomeNewsProps = { view: HomeView; renderedAt: number }

/** The three news boxes of the home page (HOME-3, LOOK-10): side by side on a desktop, one box with tabs on a phone. */
export function HomeNews({ view, renderedAt }: HomeNewsProps) {
  const pendingView = usePendingSearch(homeSearch)
  const tabs = NEWS_BOARDS.map(({ key, title }) => ({
    key,
    label: title,
    to: getHomePath({ ...pendingView, box: key }),
  }))
  return (
    <div className={`${layout.panels} ${styles.news}`} data-wide id="news-boxes">
      <div className={styles.tabs}>
        <TabLinks label="News boxes" tabs={tabs} current={view.box} list="news-boxes" />
      </div>
      {NEWS_BOARDS.map((board, index) => (
        <div key={board.key} className={styles[`${board.key}Cell`]} data-open={board.key === view.box}>
          <NewsBox board={board} index={FIRST_PANEL_INDEX + index} renderedAt={renderedAt} />
        </div>
      ))}
    </div>
  )
}

/** The number of items in a box, including the latest. */
const ITEMS_PER_BOX = { all: 6, events: 6, guides: 7 } as const

type NewsBoxProps = { board: NewsBoard; index: number; renderedAt: number }

/** A box of news: the latest item with a badge, then a list of the other items. */
function NewsBox({ board, index, renderedAt }: NewsBoxProps) {
  const { data, isFetching, refresh } = useNewsBoard(board.key, 1)
  const [lead, ...otherRows] = data?.rows.slice(0, ITEMS_PER_BOX[board.key]) ?? []
  return (
    <Panel
      index={index}
      title={board.title}
      className={styles.box}
      actions={
        <>
          <ButtonLink tone="quiet" to={getNewsPath({ board: board.key, page: 1 })}>
            All<span className="visually-hidden"> {board.title}</span>
          </ButtonLink>
          <RefreshButton what={board.title} busy={isFetching} onRefresh={refresh} />
        </>
      }
    >
      {data === undefined && isFetching && <Skeleton width="100%" height={320} />}
      {lead === undefined && !(data === undefined && isFetching) && (
        <EmptyState title={NEWS_TEXTS.empty} line="The next notice will appear here." />
      )}
      {lead !== undefined && (
        <div className={styles[board.key]}>
          <NewsLead row={lead} renderedAt={renderedAt} isPoster={board.key === 'all'} />
          <ul className={styles.list}>
            {otherRows.map((row) => (
              <NewsLine key={row.id} row={row} renderedAt={renderedAt} />
            ))}
          </ul>
        </div>
      )}
    </Panel>
  )
}

type NewsLeadProps = {
  row: NewsRow
  renderedAt: number
  /** Whether the picture is large, with the text over its lower edge. */
  isPoster: boolean
}

/** The latest item of a box, with its picture. */
function NewsLead({ row, renderedAt, isPoster }: NewsLeadProps) {
  const themePicture = useThemePicture('news')
  const picture = row.img_thumbnail ?? themePicture
  return (
    <div className={isPoster ? styles.poster : styles.lead}>
      {picture && <img className={styles.picture} src={picture} alt="" width="450" height="300" loading="lazy" />}
      <div className={styles.text}>
        <NewBadge />
        <Link className={styles.subject} to={getNewsTopicPath(row.id)}>
          {row.subject}
        </Link>
        {isPoster && row.excerpt && <p className={`${text.quiet} ${text.brief}`}>{row.excerpt}</p>}
        <span className={styles.date}>
          <RelativeTime iso={row.created_at} renderedAt={renderedAt} />
        </span>
      </div>
    </div>
  )
}

type NewsLineProps = { row: NewsRow; renderedAt: number }

/** An item in a box's list: its subject and its date. */
function NewsLine({ row, renderedAt }: NewsLineProps) {
  return (
    <li className={styles.line}>
      <Link className={`${styles.lineSubject} ${link.wide}`} to={getNewsTopicPath(row.id)}>
        {row.subject}
      </Link>
      <span className={styles.lineDate}>
        <RelativeTime iso={row.created_at} renderedAt={renderedAt} />
      </span>
    </li>
  )
}

import { keepPreviousData } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { type CurrencyNames, nameCurrencies } from '#contract/currencies.ts'
import type { CallInput, CallOutput, Endpoint } from '#contract/endpoint.ts'
import { formatCount } from '#contract/numbers.ts'
import { exportList } from '#contract/staff.ts'
import { toCallQuery, usePageQuery } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { useCurrencyNames } from '#web/ui/currency-names.ts'
import layout from '#web/ui/layout.module.css'
import linkStyles from '#web/ui/link.module.css'
import { Link } from '#web/ui/link.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { EmptyState, Skeleton } from '#web/ui/states.tsx'
import { useAction } from './call.ts'
import deskLayout from './desk-layout.module.css'
import { Money, State, type States, When } from './facts.tsx'
import { toOptionPairs } from './fields.tsx'
import { DeskIcon } from './icons.tsx'
import styles from './list.module.css'
import { ListFilters } from './list-filters.tsx'
import { type Filter, type Filters, useListSearch } from './list-search.ts'
import { ListViews } from './list-views.tsx'
import { LoadFailure } from './screen.tsx'

/** A column, declared once for the table and the cards of narrow screens. The first column names and links the row. */
export type Column<Row> = {
  title: string
  /** Numbers are right-aligned. */
  align?: 'end'
  /** The call's sort key for this column. A leading `-` reverses the order. */
  sort?: string
  /**
   * The position on a card. The default is a fact below the title.
   * - `end`: at the end of the first line
   * - `wide`: on its own lines, without its title
   * - `inline`: in one line with others
   * - `bare`: in one line with others, without its title
   * - `none`: hidden
   */
  card?: 'end' | 'wide' | 'inline' | 'bare' | 'none'
} & (
  | { key: string; cell: (row: Row) => ReactNode }
  /** A value of the row: a text, a state, a time, or a right-aligned number. */
  | { key: keyof Row & string; cell?: undefined; kind?: 'when' | 'count' | 'money'; states?: States<string> }
)

/** Renders a row's cell in a column. */
function renderCell<Row>(column: Column<Row>, row: Row): ReactNode {
  if (column.cell !== undefined) return column.cell(row)
  const value = row[column.key]
  if (column.kind === 'when') return <When at={value as string | null} />
  if (value === null) return '—'
  if (column.states !== undefined) return <State states={column.states} state={value as string} />
  if (column.kind === 'count') return formatCount(value as number)
  return column.kind === 'money' ? <Money amount={value as number} /> : (value as ReactNode)
}

/** Returns whether a cell is empty. A card omits it; a table shows a dash. */
const isBlank = <Row,>(column: Column<Row>, row: Row) =>
  column.cell === undefined ? row[column.key] === null : ['', '—', null].includes(column.cell(row) as string | null)

const getAlignment = <Row,>(column: Column<Row>) =>
  column.cell === undefined && (column.kind === 'count' || column.kind === 'money') ? 'end' : column.align

/** The type of a row in a list call's answer. */
export type RowOf<E> = CallOutput<E> extends { rows: (infer Row extends object)[] } ? Row : never

/** The filters and the sort in use, without empty ones. */
type Query = Record<string, string>

type EmptyListProps = { title: string; line?: string; action?: ReactNode }

type ListProps<E> = {
  /** The list's call, declared with `listQuerySchema` and `listPageSchema`. */
  endpoint: E
  /** Names the list for screen readers and the exported file. */
  label: string
  /** The columns, which can depend on the filters in use. */
  columns: readonly Column<RowOf<E>>[] | ((query: Query) => readonly Column<RowOf<E>>[])
  /** Describes the order of the rows if no column heading shows it. */
  order?: (query: Query) => string
  /** The filters by parameter name. The address's query contains the choices, and its fragment the text that operators type. */
  filters?: { [Name in keyof CallInput<E>]?: Filter }
  /** Input that the screen sets, such as the player whose orders are listed. */
  fixedInput?: Partial<CallInput<E>>
  getId: (row: RowOf<E>) => string | number
  /** Returns the address of a row's page. */
  getLink?: (row: RowOf<E>) => string
  /** The title, text and action of an empty list. */
  empty: EmptyListProps
  /**
   * The text of an empty list, filtered or not, instead of `empty`. Without it, an empty filtered list offers to clear
   * the filters.
   */
  emptyView?: EmptyListProps
  /** Renders the actions for the ticked rows. Without this function, rows cannot be ticked. */
  renderBulkActions?: (rows: RowOf<E>[], clear: () => void) => ReactNode
}

const NO_IDS: ReadonlySet<string> = new Set()
const PHONE_QUERY = matchMedia('(max-width: 719px)')
const TABLET_QUERY = matchMedia('(max-width: 1023px)')
/** The most columns that fit on a tablet, including the column of ticks. */
const TABLET_COLUMNS = 5

/** Returns whether the screen is too narrow for a table of these columns. */
function useIsNarrow(columns: readonly { card?: string }[], hasTicks: boolean): boolean {
  const count = columns.length + (hasTicks ? 1 : 0)
  const isWide = count > TABLET_COLUMNS || columns.some(({ card }) => card === 'wide')
  const narrowScreen = isWide ? TABLET_QUERY : PHONE_QUERY
  return useSyncExternalStore(
    (listener) => {
      narrowScreen.addEventListener('change', listener)
      return () => narrowScreen.removeEventListener('change', listener)
    },
    () => narrowScreen.matches,
  )
}

/**
 * A list of the desk: its filters, sort and page are in the address, rows are links, ticked rows have bulk actions, and
 * the list exports as CSV. If the table does not fit, the rows are cards.
 */
export function List<E extends Endpoint>(props: ListProps<E>) {
  // A new call in the same position must not inherit rows, ticks or filters, so the key resets the component.
  return <ListOfCall key={props.endpoint.path} {...props} />
}

function ListOfCall<E extends Endpoint>(props: ListProps<E>) {
  type Row = RowOf<E>
  const { endpoint, label, fixedInput, getId, getLink, empty, emptyView, renderBulkActions, order } = props
  const names = useCurrencyNames()
  const filters = nameCurrenciesInFilters((props.filters ?? {}) as Filters, names)
  const search = useListSearch(filters)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns depend only on the filters in use and the currency names
  const columns = useMemo(
    () =>
      (typeof props.columns === 'function' ? props.columns(search.query) : props.columns).map((column) => ({
        ...column,
        title: nameCurrencies(column.title, names),
      })),
    [props.columns, search.queryText, names],
  )
  const input = { ...search.query, ...fixedInput } as CallInput<E>
  const { data, error, isPlaceholderData, refetch, isFetching } = usePageQuery(toCallQuery(endpoint, input), {
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: !endpoint.audited,
  })
  const page = data as { rows: Row[]; next: string | null } | undefined
  const rows = useMemo(() => page?.rows ?? [], [page])
  const [tickedIds, setTickedIds] = useState<ReadonlySet<string>>(NO_IDS)
  const inputKey = JSON.stringify(input)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page has new rows
  useEffect(() => setTickedIds(NO_IDS), [inputKey])
  const isNarrow = useIsNarrow(columns, renderBulkActions !== undefined)
  const ids = rows.map((row) => String(getId(row)))
  const toggle = (id: string) =>
    setTickedIds(new Set(tickedIds.has(id) ? [...tickedIds].filter((tickedId) => tickedId !== id) : [...tickedIds, id]))
  const areAllTicked = ids.length > 0 && ids.every((id) => tickedIds.has(id))
  const listRows = rows.map((row, index) => {
    const id = ids[index] ?? ''
    return {
      id,
      row,
      tick: renderBulkActions && { isOn: tickedIds.has(id), toggle: () => toggle(id) },
      link: getLink?.(row),
    }
  })
  const tickAll = renderBulkActions && {
    isOn: areAllTicked,
    toggle: () => setTickedIds(areAllTicked ? NO_IDS : new Set(ids)),
  }
  const tickedRows = listRows.filter(({ tick }) => tick?.isOn).map(({ row }) => row)
  const Body = isNarrow ? Cards<Row> : Table<Row>
  const sortBy = (sort: string) => search.change({ sort })
  const isFiltered = search.namesInUse.length > 0 || search.getValue('after') !== ''

  return (
    <section className={layout.stack12} aria-label={label}>
      <ListFilters filters={filters} search={search} columns={columns}>
        {Object.keys(filters).length > 0 && <ListViews list={endpoint.path} search={search} />}
        <ExportButton label={label} path={endpoint.path} query={{ ...search.query, ...(fixedInput as object) }} />
      </ListFilters>
      {order !== undefined && rows.length > 0 && (
        <p className={styles.order}>{nameCurrencies(order(search.query), names)}</p>
      )}
      <div className={styles.rows} data-old={isPlaceholderData || undefined} aria-busy={isFetching || undefined}>
        {error !== null && page === undefined ? (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        ) : page === undefined ? (
          <SkeletonRows />
        ) : rows.length > 0 ? (
          <Body
            columns={columns}
            listRows={listRows}
            tickAll={tickAll}
            sort={search.getValue('sort')}
            sortBy={sortBy}
            label={label}
          />
        ) : isFiltered && emptyView === undefined ? (
          <EmptyState
            title="Nothing found"
            line="Nothing matches your search."
            action={
              <Button tone="secondary" onClick={search.clear}>
                Clear the filters
              </Button>
            }
          />
        ) : (
          <EmptyState {...(emptyView ?? empty)} />
        )}
      </div>
      <PageLinks next={page?.next ?? null} count={rows.length} />
      {renderBulkActions !== undefined && tickedRows.length > 0 && (
        <section className={styles.bulk} data-surface="paper" aria-label="Ticked rows">
          <p aria-live="polite">
            <b>{tickedRows.length}</b> {tickedRows.length === 1 ? 'row' : 'rows'} ticked
          </p>
          <div className={deskLayout.row8}>{renderBulkActions(tickedRows, () => setTickedIds(NO_IDS))}</div>
          <button type="button" className={styles.untick} onClick={() => setTickedIds(NO_IDS)}>
            Untick all
          </button>
        </section>
      )}
    </section>
  )
}

/** Replaces placeholders for the currencies in the texts of filters. */
function nameCurrenciesInFilters(filters: Filters, names: CurrencyNames): Filters {
  return Object.fromEntries(
    Object.entries(filters).map(([key, filter]) => [
      key,
      filter.kind === 'choice'
        ? {
            ...filter,
            label: nameCurrencies(filter.label, names),
            options: toOptionPairs(filter.options).map(
              ([value, text]) => [value, nameCurrencies(text, names)] as const,
            ),
          }
        : { ...filter, label: nameCurrencies(filter.label, names) },
    ]),
  )
}

type Tick = { isOn: boolean; toggle: () => void }

type BodyProps<Row> = {
  columns: readonly Column<Row>[]
  listRows: { id: string; row: Row; tick: Tick | undefined; link: string | undefined }[]
  tickAll: Tick | undefined
  sort: string
  sortBy: (sort: string) => void
  label: string
}

function Table<Row>({ columns, listRows, tickAll, sort, sortBy, label }: BodyProps<Row>) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {tickAll && (
              <th className={styles.tick}>
                <TickBox {...tickAll} label="Tick every row" />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                data-align={getAlignment(column)}
                aria-sort={sort === column.sort ? 'ascending' : sort === `-${column.sort}` ? 'descending' : undefined}
              >
                <SortButton column={column} sort={sort} sortBy={sortBy} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listRows.map(({ id, row, tick, link }) => (
            <tr key={id} data-ticked={tick?.isOn || undefined} {...(link === undefined && ROW_ATTRIBUTES)}>
              {tick && (
                <td className={styles.tick}>
                  <TickBox {...tick} label="Tick this row" />
                </td>
              )}
              {columns.map((column, index) => (
                <td key={column.key} data-align={getAlignment(column)} data-wide={column.card === 'wide' || undefined}>
                  {index === 0 ? <RowLink to={link}>{renderCell(column, row)}</RowLink> : renderCell(column, row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function SortButton<Row>({ column, sort, sortBy }: { column: Column<Row> } & Pick<BodyProps<Row>, 'sort' | 'sortBy'>) {
  const { title, sort: sortKey } = column
  if (sortKey === undefined) return title
  const isAscending = sort === sortKey
  const isDescending = sort === `-${sortKey}`
  return (
    <button type="button" className={styles.sort} onClick={() => sortBy(isDescending ? sortKey : `-${sortKey}`)}>
      {title}
      {(isAscending || isDescending) && <DeskIcon name={isAscending ? 'up' : 'down'} size={14} weight={3} />}
    </button>
  )
}

/** The rows on a narrow screen. The first column is the card's title; the others are facts. */
function Cards<Row>({ columns, listRows, label }: BodyProps<Row>) {
  const [titleColumn, ...factColumns] = columns
  const isInline = factColumns.some(({ card }) => card === 'inline')
  return (
    <ul className={styles.cards} aria-label={label}>
      {listRows.map(({ id, row, tick, link }) => (
        <li key={id} data-ticked={tick?.isOn || undefined} {...(link === undefined && ROW_ATTRIBUTES)}>
          <div className={styles.cardHead}>
            {tick && <TickBox {...tick} label="Tick this row" />}
            <div className={styles.cardTitle}>
              <RowLink to={link}>{titleColumn && renderCell(titleColumn, row)}</RowLink>
            </div>
            {factColumns
              .filter(({ card }) => card === 'end')
              .map((column) => (
                <div key={column.key}>{renderCell(column, row)}</div>
              ))}
          </div>
          <dl data-inline={isInline || undefined}>
            {factColumns
              .filter((column) => column.card !== 'end' && column.card !== 'none' && !isBlank(column, row))
              .map((column) => (
                <div key={column.key} data-wide={column.card === 'wide' || undefined}>
                  <dt className={column.card === 'wide' || column.card === 'bare' ? 'visually-hidden' : undefined}>
                    {column.title}
                  </dt>
                  <dd>{renderCell(column, row)}</dd>
                </div>
              ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}

/** Lets `j` and `k` move to a row without a link. */
const ROW_ATTRIBUTES = { 'data-row': '', tabIndex: -1 } as const

/** Links a whole row. `j` and `k` move between these links. */
function RowLink({ to, children }: { to: string | undefined; children: ReactNode }) {
  if (to === undefined) return children
  return (
    <Link to={to} className={`${linkStyles.wide} ${styles.name}`} data-row="">
      {children}
    </Link>
  )
}

function TickBox({ isOn, toggle, label }: Tick & { label: string }) {
  return (
    <label className={styles.tickBox}>
      <input type="checkbox" checked={isOn} onChange={toggle} />
      <span className="visually-hidden">{label}</span>
    </label>
  )
}

/** The starts of the previous pages. A link stores them in the browser's history. */
type HistoryState = { trail?: string[] } | null

/** The next and the previous page as links, so operators can open them in a new tab. */
function PageLinks({ next, count }: { next: string | null; count: number }) {
  const { pathname, search, hash, state } = useLocation()
  const currentSearch = new URLSearchParams(search)
  const after = currentSearch.get('after') ?? ''
  const trail = (state as HistoryState)?.trail ?? []
  if (next === null && after === '') return null
  const createAddress = (start: string) => {
    const query = new URLSearchParams(currentSearch)
    if (start === '') query.delete('after')
    else query.set('after', start)
    return `${pathname}${query.size === 0 ? '' : `?${query}`}${hash}`
  }
  const previousStart = trail.at(-1) ?? ''
  return (
    <nav className={styles.pageLinks} aria-label="Pages of the list">
      {after !== '' && (
        <Link to={createAddress(previousStart)} state={{ trail: trail.slice(0, -1) }} className={styles.pageLink}>
          <DeskIcon name="back" size={16} /> {trail.length > 0 ? 'Previous' : 'First page'}
        </Link>
      )}
      <p>
        {count} {count === 1 ? 'row' : 'rows'}
      </p>
      {next !== null && (
        <Link to={createAddress(next)} state={{ trail: [...trail, after] }} className={styles.pageLink}>
          Next <DeskIcon name="forward" size={16} />
        </Link>
      )}
    </nav>
  )
}

function SkeletonRows() {
  return Array.from({ length: 8 }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
    <div key={index} className={styles.skeleton}>
      <Skeleton width={`${22 + ((index * 29) % 24)}%`} height={16} />
      <Skeleton width={`${12 + ((index * 17) % 14)}%`} height={16} />
    </div>
  ))
}

/** Downloads the whole filtered list as a CSV file. */
function ExportButton({ label, path, query }: { label: string; path: string; query: Record<string, unknown> }) {
  const { run, busy } = useAction(exportList)
  const { after: _, ...filters } = query
  const exportFile = async () => {
    const texts = Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]))
    const file = await run({ list: path, query: texts })
    if (file !== undefined) saveFile(file, `${label.toLowerCase().replaceAll(/\W+/g, '-')}.csv`)
  }
  return (
    <Button tone="quiet" busy={busy} onClick={() => void exportFile()}>
      Export CSV
    </Button>
  )
}

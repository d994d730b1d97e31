import { NEWS } from '#contract/messages.ts'
import { useLoaded } from '#web/api/queries.ts'
import { PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { NO_SUCH_TOPIC } from './boards.ts'
import { newsItemQuery } from './queries.ts'
import { TopicBody } from './topic-body.tsx'
import { TopicSkeleton } from './topic-skeleton.tsx'

type Props = { topic: number; renderedAt: number }

/** One news item: loading, then loaded or empty (SPEC §2.8). */
export function TopicArticle({ topic, renderedAt }: Props) {
  const isAsked = topic !== NO_SUCH_TOPIC
  const { data, isFetching } = useLoaded(newsItemQuery(topic), { enabled: isAsked })
  if (data) return <TopicBody item={data} renderedAt={renderedAt} />
  return (
    <>
      <PageHead crumb="News" title="News" />
      <Panel>
        {data === undefined && isFetching ? (
          <TopicSkeleton />
        ) : (
          <EmptyState
            title={NEWS.empty}
            line="It may have been taken down, or the address is wrong."
            action={<ButtonLink to="/news">All news</ButtonLink>}
          />
        )}
      </Panel>
    </>
  )
}

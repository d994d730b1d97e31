import { useParams } from 'react-router'
import { CASE_KINDS, getDeskTopic } from '#contract/desk-forum.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { formatCount } from '#contract/numbers.ts'
import { useCall } from '#web/api/queries.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '#web/ui/panel.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { PlayerLink, StateBadge, When } from '../../kit/facts.tsx'
import { Loaded, RecordPage } from '../../kit/screen.tsx'
import styles from './forum.module.css'
import { PollText, PostText, TopicBadges } from './parts.tsx'
import { TopicActions } from './topics.tsx'

type Page = CallOutput<typeof getDeskTopic>

/** Shows a topic: its board, its first post, its waiting posts, and its actions. */
export function Screen() {
  const { topic = '' } = useParams()
  const page = useCall(getDeskTopic, { topic })
  return (
    <Loaded result={page} height={480}>
      {(value) => <TopicPage key={value.topic.topic} page={value} />}
    </Loaded>
  )
}

function TopicPage({ page: { topic, opening, poll, path, cases } }: { page: Page }) {
  return (
    <RecordPage
      back={{ to: '/admin/forum/topics', label: 'Topics' }}
      title={topic.title}
      badges={<TopicBadges topic={topic} />}
      actions={
        path !== null && (
          <ButtonLink to={path} tone="secondary">
            In the forum
          </ButtonLink>
        )
      }
      facts={{
        Board: topic.board,
        By: <PlayerLink userNum={topic.author_num} userId={topic.author_name} />,
        Opened: <When at={topic.created_at} show="both" />,
        'Last post': <When at={topic.last_post_at} show="both" />,
        Posts: formatCount(topic.posts),
      }}
    >
      <Panel title="Actions">
        <div className={deskLayout.body}>
          <div className={layout.buttons}>
            <TopicActions topics={[topic]} />
          </div>
        </div>
      </Panel>
      {opening !== null && (
        <Panel title="First post">
          <div className={deskLayout.body}>
            <PostText post={opening.post} html={opening.html} />
            {poll !== null && <PollText poll={poll} />}
            <Link to={`/admin/forum/posts/${opening.post}`} className={deskLayout.link}>
              Decide about this post
            </Link>
          </div>
        </Panel>
      )}
      {cases.length > 0 && (
        <Panel title="Waiting in this topic">
          <ul className={styles.conversation}>
            {cases.map(({ case_num, post, kind, excerpt, opened_at }) => (
              <li key={case_num}>
                <Link to={`/admin/forum/posts/${post}`} className={deskLayout.link}>
                  {excerpt || 'A picture'}
                </Link>
                <p className={styles.byline}>
                  <StateBadge tone="attention">{CASE_KINDS[kind]}</StateBadge>{' '}
                  <span className={deskLayout.faint}>
                    <When at={opened_at} />
                  </span>
                </p>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </RecordPage>
  )
}

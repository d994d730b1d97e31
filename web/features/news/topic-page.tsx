import { useParams } from 'react-router'
import { useRenderedAt } from '#web/api/page.ts'
import { NO_SUCH_TOPIC, readTopicId } from './boards.ts'
import { TopicArticle } from './topic-article.tsx'

/** One news item at an address of its own. */
export default function TopicPage() {
  return <TopicArticle topic={readTopicId(useParams().id) ?? NO_SUCH_TOPIC} renderedAt={useRenderedAt()} />
}

import { NotFoundContent } from './not-found-content.tsx'

export default NotFoundContent

import { NotFoundContent } from './error-content.tsx'

export default NotFoundContent

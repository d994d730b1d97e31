import { errorMeta } from './error-meta.ts'
import { ErrorContent } from './error-content.tsx'

export const meta = errorMeta

export default ErrorContent

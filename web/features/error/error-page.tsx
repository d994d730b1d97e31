import { ErrorContent } from './error-content.tsx'
import { errorMeta } from './error-meta.ts'

export const meta = errorMeta

export default ErrorContent

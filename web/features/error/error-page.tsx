import { ErrorContent } from './error-content.tsx'

export default ErrorContent

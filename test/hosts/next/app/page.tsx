import Link from 'next/link'
import { Home } from './home'

export default function Page() {
  return (
    <>
      <Home />
      <Link id="go" href="/second">
        Second page
      </Link>
    </>
  )
}

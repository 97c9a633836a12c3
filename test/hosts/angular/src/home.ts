import { Component, CUSTOM_ELEMENTS_SCHEMA, type ElementRef, signal, viewChild } from '@angular/core'
import type { LoginModal, User } from 'latchkey'
import { apiUrl, appId, config, vaultUrl } from './settings'

/** A page with one element from the start, and another that comes when somebody asks for it. */
@Component({
  selector: 'host-home',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <p id="user">{{ user() }}</p>
      <p id="heard">{{ heard().join(' ') }}</p>
      @if (stands()) {
        <login-modal
          #element
          [attr.app-id]="appId"
          [attr.api-url]="apiUrl"
          [attr.vault-url]="vaultUrl"
          [config]="config"
          (lk-ready)="hear('ready')"
          (lk-user)="user.set(nameOf($event.detail.user))"
          (lk-login)="hear('login:' + $event.detail.loginMethod)"
          (lk-close)="hear('close:' + $event.detail.completed)"
        ></login-modal>
      }
      <button id="log-in" type="button" (click)="logIn()">Log in</button>
      <button id="log-out" type="button" (click)="element()?.nativeElement?.logout()">Log out</button>
      <button id="toggle" type="button" (click)="stands.set(!stands())">
        {{ stands() ? 'Remove' : 'Put back' }}
      </button>
      <button id="show-late" type="button" (click)="lateStands.set(!lateStands())">Another one</button>
      @if (lateStands()) {
        <login-modal
          [attr.app-id]="appId"
          [attr.api-url]="apiUrl"
          [attr.vault-url]="vaultUrl"
          [config]="config"
          (lk-user)="late.set(nameOf($event.detail.user))"
        ></login-modal>
      }
      <p id="late">{{ late() }}</p>
    </main>
  `,
})
export class Home {
  protected readonly appId = appId
  protected readonly apiUrl = apiUrl
  protected readonly vaultUrl = vaultUrl
  protected readonly config = config
  protected readonly user = signal('unknown')
  protected readonly late = signal('unknown')
  protected readonly heard = signal<readonly string[]>([])
  protected readonly stands = signal(true)
  protected readonly lateStands = signal(false)
  protected readonly element = viewChild<ElementRef<LoginModal>>('element')

  protected nameOf(user: User | null) {
    return user?.email?.address ?? 'nobody'
  }
  protected hear(what: string) {
    this.heard.update((before) => [...before, what])
  }
  protected logIn() {
    this.element()
      ?.nativeElement.login()
      .catch(() => {})
  }
}

CREATE TABLE "account_changes" (
	"hash" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"session_id" text NOT NULL,
	"change" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "device_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"session_id" text NOT NULL,
	"thumbprint" text NOT NULL,
	"name" text NOT NULL,
	"place" text NOT NULL,
	"number" text NOT NULL,
	"numbers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"status" text NOT NULL,
	"approved_by" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vault_passkeys" (
	"id" text NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"rp_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"user_handle" text NOT NULL,
	"name" text NOT NULL,
	"device_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "vault_passkeys_app_id_id_pk" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "former_addresses" (
	"user_id" text NOT NULL,
	"channel" text NOT NULL,
	"address" text NOT NULL,
	"linked_at" bigint NOT NULL,
	"confirmed_at" bigint,
	"removed_at" bigint NOT NULL,
	CONSTRAINT "former_addresses_user_id_channel_address_pk" PRIMARY KEY("user_id","channel","address")
);
--> statement-breakpoint
CREATE TABLE "frame_spendings" (
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"chain" text NOT NULL,
	"asset" text NOT NULL,
	"transaction" text NOT NULL,
	"amount" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "frame_spendings_user_id_chain_transaction_asset_pk" PRIMARY KEY("user_id","chain","transaction","asset")
);
--> statement-breakpoint
CREATE TABLE "recovery_source_tries" (
	"wallet_id" text NOT NULL,
	"source" text NOT NULL,
	"user_id" text NOT NULL,
	"hits" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"locked_until" bigint,
	CONSTRAINT "recovery_source_tries_wallet_id_source_pk" PRIMARY KEY("wallet_id","source")
);
--> statement-breakpoint
ALTER TABLE "mfa_recovery_codes" ADD COLUMN "created_at" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "origin_id" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "confirmed_at" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "frozen_at" bigint;--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_requests" ADD CONSTRAINT "device_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vault_passkeys" ADD CONSTRAINT "vault_passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_addresses" ADD CONSTRAINT "former_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "frame_spendings" ADD CONSTRAINT "frame_spendings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_source_tries" ADD CONSTRAINT "recovery_source_tries_wallet_id_wallet_roots_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallet_roots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_changes_session" ON "account_changes" USING btree ("session_id","created_at");--> statement-breakpoint
CREATE INDEX "account_changes_user" ON "account_changes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_changes_expires" ON "account_changes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "device_requests_user" ON "device_requests" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "device_requests_expires" ON "device_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "vault_passkeys_user" ON "vault_passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "former_addresses_removed" ON "former_addresses" USING btree ("removed_at");--> statement-breakpoint
CREATE INDEX "frame_spendings_at" ON "frame_spendings" USING btree ("at");--> statement-breakpoint
CREATE INDEX "recovery_source_tries_user" ON "recovery_source_tries" USING btree ("user_id","source");--> statement-breakpoint
CREATE INDEX "analytics_events_at" ON "analytics_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "mfa_tokens_session" ON "mfa_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "fork_tokens_session" ON "fork_tokens" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "fork_tokens_expires" ON "fork_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_origin" ON "sessions" USING btree ("origin_id");--> statement-breakpoint
CREATE INDEX "sessions_device" ON "sessions" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "users_removed" ON "users" USING btree ("removed_at") WHERE "users"."removed_at" is not null;--> statement-breakpoint
CREATE INDEX "users_frozen" ON "users" USING btree ("frozen_at") WHERE "users"."frozen_at" is not null;--> statement-breakpoint
CREATE INDEX "recovery_present_device" ON "recovery_present" USING btree ("device_id");--> statement-breakpoint
CREATE INDEX "share_releases_at" ON "share_releases" USING btree ("at");
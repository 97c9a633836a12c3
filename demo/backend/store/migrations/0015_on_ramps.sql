CREATE TABLE "purchases" (
	"id" text PRIMARY KEY NOT NULL,
	"app_id" text NOT NULL,
	"user_id" text NOT NULL,
	"reference" text,
	"provider" text NOT NULL,
	"method" text NOT NULL,
	"is_sandbox" boolean NOT NULL,
	"status" text NOT NULL,
	"failure" text,
	"address" text NOT NULL,
	"chain" text NOT NULL,
	"asset" text NOT NULL,
	"symbol" text NOT NULL,
	"product" text,
	"amount" text,
	"received" text,
	"currency" text NOT NULL,
	"total" text,
	"fee" text,
	"transaction_hash" text,
	"provider_reference" text,
	"transaction_id" text,
	"observed_at" bigint,
	"checked_at" bigint DEFAULT 0 NOT NULL,
	"presentation" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"sealed_opening" text,
	"terms_accepted_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ramp_events" (
	"app_id" text NOT NULL,
	"provider" text NOT NULL,
	"hash" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "ramp_events_app_id_provider_hash_pk" PRIMARY KEY("app_id","provider","hash")
);
--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_reference" ON "purchases" USING btree ("app_id","user_id","reference");--> statement-breakpoint
CREATE INDEX "purchases_user" ON "purchases" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "purchases_updated" ON "purchases" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "ramp_events_at" ON "ramp_events" USING btree ("at");
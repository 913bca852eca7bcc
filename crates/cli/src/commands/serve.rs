//! `mercer serve`: the page, the API and the agents in one process on one port.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use mercer_server::{Access, App, Parts};

use crate::args::Serve;
use crate::commands::{import, key};
use crate::settings::Settings;
use crate::world::World;
use crate::{Outcome, output};

pub(crate) async fn run(settings: Settings, serve: Serve) -> anyhow::Result<Outcome> {
    let keys = key::load(&settings.data)?;
    if keys.is_empty() && !settings.listen.ip().is_loopback() {
        bail!(
            "listening on {} lets other machines in, and there is no key yet\nhint: mercer key create --name admin --scope admin",
            settings.listen
        );
    }
    if serve.demo {
        load_sample(&settings, serve.demo_dir)?;
    }
    let World { engine, assistants, catalogs, files, imports, health, shop } = World::open(&settings).await?;
    let listener = listen(settings.listen).await?;
    let app = App::new(Parts {
        engine: engine.clone(),
        assistants,
        catalogs,
        files,
        imports,
        access: Access::new(keys),
        shop,
        model: health,
        imports_dir: settings.data.join("imports"),
        cache: settings.data.join("cache"),
    });
    let resumed = engine.recover().await.context("going on with the runs that were cut off")?;
    let imports = app.imports().recover().await.context("starting the imports that were cut off")?;
    for note in &settings.model.notes {
        output::note(format!("note: {note}"));
    }
    if settings.model.role(mercer_model::ModelRole::Chat).is_none() {
        output::note(
            "No language model is configured: answers are made by rules. Set MERCER_MODEL (see docs/settings.md) to use one.",
        );
    }
    if !resumed.is_empty() || imports > 0 {
        output::note(format!("Going on with {} answers and {imports} imports that were cut off.", resumed.len()));
    }
    output::line(format!("Mercer is open: http://{}", listener.local_addr()?));
    let router = mercer_server::router(app.clone());
    axum_serve(listener, router, engine.clone()).await?;
    app.imports().close().await;
    engine.drain().await;
    Ok(Outcome::Done)
}

async fn listen(address: SocketAddr) -> anyhow::Result<tokio::net::TcpListener> {
    tokio::net::TcpListener::bind(address).await.with_context(|| {
        format!("listening on {address}; if another program has the port, choose one with --listen 127.0.0.1:PORT")
    })
}

/// Serves until SIGINT or SIGTERM; then runs stop at their next step, so that the streams that wait for them end too.
async fn axum_serve(
    listener: tokio::net::TcpListener,
    router: mercer_server::Router,
    engine: mercer_graph::Engine,
) -> anyhow::Result<()> {
    let stop = Arc::new(tokio::sync::Notify::new());
    let stopped = Arc::clone(&stop);
    let signal = tokio::spawn(async move {
        signalled().await;
        output::note("Stopping: answers in progress go on at the next start.");
        stopped.notify_waiters();
        engine.drain().await;
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    });
    let served = mercer_server::serve(listener, router, {
        let stop = Arc::clone(&stop);
        async move { stop.notified().await }
    });
    tokio::select! {
        result = served => result.context("serving")?,
        // Connections that do not end by themselves are not waited for longer than this.
        joined = signal => joined?,
    }
    Ok(())
}

async fn signalled() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            },
            Err(_) => drop(tokio::signal::ctrl_c().await),
        }
    }
    #[cfg(not(unix))]
    drop(tokio::signal::ctrl_c().await);
}

/// Fills an empty catalogue with the sample shop.
fn load_sample(settings: &Settings, dir: Option<PathBuf>) -> anyhow::Result<()> {
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample-shop");
    let candidates = [dir, Some(PathBuf::from("data/sample-shop")), Some(built_from)];
    let dir = candidates.into_iter().flatten().find(|dir| dir.join("products.jsonl").is_file());
    let dir = dir.context(
        "the sample shop was not found; run from the project's folder, or name it with --demo-dir data/sample-shop",
    )?;
    import::sample(settings, &dir)
}

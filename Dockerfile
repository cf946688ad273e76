# syntax=docker/dockerfile:1
FROM python:3.13-slim AS build
WORKDIR /app
ENV PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
COPY requirements/base.txt requirements/base.txt
RUN python -m venv /app/.venv
RUN /app/.venv/bin/pip install --require-hashes -r requirements/base.txt
COPY . .
# Any https address does: static files are the same for all. The keys made here stay in this stage.
RUN SITE_URL=https://build.invalid DATA_DIR=/tmp/build STATIC_ROOT=/app/static-collected /app/.venv/bin/python manage.py collectstatic --noinput

FROM python:3.13-slim
RUN useradd --system --create-home --uid 10001 confsched && mkdir /data && chown confsched /data
WORKDIR /app
COPY --from=build --chown=root:root /app /app
ENV PATH=/app/.venv/bin:$PATH PYTHONUNBUFFERED=1 DATA_DIR=/data STATIC_ROOT=/app/static-collected BIND=0.0.0.0:8000
USER confsched
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["python", "-m", "confsched.healthcheck"]
CMD ["sh", "-c", "python manage.py migrate --noinput && exec gunicorn --config gunicorn.conf.py confsched.wsgi"]
